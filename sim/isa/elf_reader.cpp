// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/elf_reader.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace coulomb::isa {
namespace {

constexpr std::uint64_t kHeaderBytes = 64;
constexpr std::uint64_t kSectionHeaderBytes = 64;
constexpr std::uint64_t kSymbolBytes = 24;
constexpr std::uint64_t kRelBytes = 16;
constexpr std::uint64_t kRelaBytes = 24;
constexpr std::uint16_t kMachineCuda = 190;
constexpr std::uint32_t kSymbolTable = 2;
constexpr const char* kHowToMakeOne = "give a cubin: nvcc -cubin -arch=sm_80 (or sm_86) file.cu, "
                                      "or let coulomb compile the .cu itself";

bool starts_with(std::span<const std::uint8_t> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

bool contains(std::span<const std::uint8_t> bytes, std::string_view word) {
  return std::search(bytes.begin(), bytes.end(), word.begin(), word.end()) != bytes.end();
}

/// What the file seems to be, for the message.
std::string describe(std::span<const std::uint8_t> bytes) {
  using namespace std::string_view_literals;
  constexpr std::size_t kProbe = 4096;
  if (bytes.empty()) {
    return "an empty file";
  }
  if (starts_with(bytes, "\x50\xed\x55\xba"sv)) {
    return "a fatbin; extract its cubin with cuobjdump -xelf all";
  }
  const auto head = bytes.first(std::min(bytes.size(), kProbe));
  if (contains(head, ".version"sv) && contains(head, ".target"sv)) {
    return "PTX text; assemble it with ptxas -arch=sm_80 (or sm_86)";
  }
  if (contains(head, "__global__"sv)) {
    return "CUDA source text";
  }
  if (starts_with(bytes, "BC\xc0\xde"sv)) {
    return "LLVM bitcode";
  }
  std::string first;
  for (const std::uint8_t byte : bytes.first(std::min<std::size_t>(bytes.size(), 8))) {
    first += fmt::format("{:02x} ", byte);
  }
  first.pop_back();
  return fmt::format("a file of {} bytes that starts with {}", bytes.size(), first);
}

std::string machine_name(std::uint64_t machine) {
  switch (machine) {
  case 62:
    return "an x86-64 object or program (machine 62)";
  case 183:
    return "an AArch64 object or program (machine 183)";
  case 224:
    return "an AMD GPU code object (machine 224)";
  default:
    return fmt::format("an ELF file of machine {}", machine);
  }
}

/// Name at `offset` of a string table.
std::string_view
name_at(std::span<const std::uint8_t> table, std::uint64_t offset, const std::string& origin) {
  if (offset >= table.size()) {
    throw UserError(fmt::format(
        "{}: a name lies at {:#x} of a string table of {:#x} bytes; the file is damaged", origin,
        offset, table.size()));
  }
  const auto tail = table.subspan(offset);
  const auto end = std::find(tail.begin(), tail.end(), std::uint8_t{0});
  if (end == tail.end()) {
    throw UserError(fmt::format(
        "{}: a string table does not end with a zero byte; the file is damaged", origin));
  }
  return {reinterpret_cast<const char*>(tail.data()), static_cast<std::size_t>(end - tail.begin())};
}

} // namespace

std::uint64_t read_number(std::span<const std::uint8_t> bytes,
                          std::uint64_t offset,
                          unsigned width,
                          std::string_view origin,
                          std::string_view what) {
  if (offset > bytes.size() || bytes.size() - offset < width) {
    throw UserError(
        fmt::format("{}: {} ends at {:#x}, but {} bytes are needed at {:#x}; the file is truncated "
                    "or damaged",
                    origin, what, bytes.size(), width, offset));
  }
  std::uint64_t value = 0;
  for (unsigned i = 0; i < width; ++i) {
    value |= static_cast<std::uint64_t>(bytes[offset + i]) << (8 * i);
  }
  return value;
}

ElfReader::ElfReader(std::span<const std::uint8_t> bytes, std::string origin)
    : bytes_(bytes), origin_(std::move(origin)) {
  using namespace std::string_view_literals;
  if (!starts_with(bytes, "\x7f"
                          "ELF"sv)) {
    throw UserError(fmt::format("{} is no cubin: found {}", origin_, describe(bytes)),
                    kHowToMakeOne);
  }
  constexpr std::uint8_t kClass64 = 2;
  constexpr std::uint8_t kLittleEndian = 1;
  if (read_number(bytes, 4, 1, origin_, "the file") != kClass64 ||
      read_number(bytes, 5, 1, origin_, "the file") != kLittleEndian) {
    throw UserError(
        fmt::format("{} is no cubin: found an ELF file that is not 64-bit little endian", origin_),
        kHowToMakeOne);
  }
  const std::uint64_t machine = read_number(bytes, 18, 2, origin_, "the file");
  if (machine != kMachineCuda) {
    throw UserError(fmt::format("{} is no cubin: found {}", origin_, machine_name(machine)),
                    kHowToMakeOne);
  }
  if (bytes.size() < kHeaderBytes) {
    throw UserError(
        fmt::format("{}: the ELF header ends at {:#x} instead of {:#x}; the file is truncated",
                    origin_, bytes.size(), kHeaderBytes));
  }
  abi_version_ = bytes[8];
  file_type_ = static_cast<std::uint16_t>(read_number(bytes, 16, 2, origin_, "the file"));
  flags_ = static_cast<std::uint32_t>(read_number(bytes, 48, 4, origin_, "the file"));
  read_sections();
  read_symbols();
}

void ElfReader::read_sections() {
  const auto number = [&](std::uint64_t offset, unsigned width) {
    return read_number(bytes_, offset, width, origin_, "the file");
  };
  const std::uint64_t table = number(40, 8);
  const std::uint64_t count = number(60, 2);
  const std::uint64_t names_index = number(62, 2);
  if (count == 0 || number(58, 2) != kSectionHeaderBytes || names_index >= count ||
      table > bytes_.size() || (bytes_.size() - table) / kSectionHeaderBytes < count) {
    throw UserError(
        fmt::format("{}: the table of {} sections at {:#x} does not lie within the {:#x} bytes of "
                    "the file; the file is truncated or damaged",
                    origin_, count, table, bytes_.size()));
  }
  const std::uint64_t segments = number(32, 8);
  const std::uint64_t segment_bytes = number(54, 2) * number(56, 2);
  if (segments > bytes_.size() || bytes_.size() - segments < segment_bytes) {
    throw UserError(fmt::format(
        "{}: the program headers ({:#x} bytes at {:#x}) do not lie within the {:#x} bytes of "
        "the file; the file is truncated or damaged",
        origin_, segment_bytes, segments, bytes_.size()));
  }
  std::vector<std::uint64_t> name_offsets;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = table + i * kSectionHeaderBytes;
    ElfSection section;
    name_offsets.push_back(number(at, 4));
    section.type = static_cast<std::uint32_t>(number(at + 4, 4));
    section.flags = number(at + 8, 8);
    section.size = number(at + 32, 8);
    section.info = static_cast<std::uint32_t>(number(at + 44, 4));
    section.alignment = std::max<std::uint64_t>(1, number(at + 48, 8));
    const std::uint64_t offset = number(at + 24, 8);
    if (section.type != kNoBits && section.type != 0) {
      if (offset > bytes_.size() || section.size > bytes_.size() - offset) {
        throw UserError(fmt::format(
            "{}: section {} ({:#x} bytes at {:#x}) does not lie within the {:#x} bytes of "
            "the file; the file is truncated or damaged",
            origin_, i, section.size, offset, bytes_.size()));
      }
      section.data = bytes_.subspan(offset, section.size);
    }
    sections_.push_back(section);
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    sections_[i].name = name_at(sections_[names_index].data, name_offsets[i], origin_);
  }
}

void ElfReader::read_symbols() {
  const auto table =
      std::find_if(sections_.begin(), sections_.end(),
                   [](const ElfSection& section) { return section.type == kSymbolTable; });
  const ElfSection* names = find_section(".strtab");
  if (table == sections_.end() || names == nullptr) {
    throw UserError(fmt::format(
        "{}: no symbol table (.symtab and .strtab), so kernels have no names", origin_));
  }
  const auto number = [&](std::uint64_t offset, unsigned width) {
    return read_number(table->data, offset, width, origin_, ".symtab");
  };
  for (std::uint64_t at = 0; at + kSymbolBytes <= table->data.size(); at += kSymbolBytes) {
    ElfSymbol symbol;
    symbol.name = name_at(names->data, number(at, 4), origin_);
    symbol.type = static_cast<std::uint8_t>(number(at + 4, 1) & 0xf);
    symbol.other = static_cast<std::uint8_t>(number(at + 5, 1));
    symbol.section = static_cast<std::uint16_t>(number(at + 6, 2));
    symbol.value = number(at + 8, 8);
    symbol.size = number(at + 16, 8);
    symbols_.push_back(symbol);
  }
}

const ElfSection* ElfReader::find_section(std::string_view name) const {
  const auto found = std::find_if(sections_.begin(), sections_.end(),
                                  [&](const ElfSection& section) { return section.name == name; });
  return found == sections_.end() ? nullptr : &*found;
}

const ElfSection& ElfReader::section(std::uint32_t index) const {
  if (index >= sections_.size()) {
    throw UserError(fmt::format("{}: section {} of {} is referred to; the file is damaged", origin_,
                                index, sections_.size()));
  }
  return sections_[index];
}

const ElfSymbol& ElfReader::symbol(std::uint32_t index) const {
  if (index >= symbols_.size()) {
    throw UserError(fmt::format("{}: symbol {} of {} is referred to; the file is damaged", origin_,
                                index, symbols_.size()));
  }
  return symbols_[index];
}

std::vector<ElfRelocation> ElfReader::relocations(std::string_view section) const {
  std::vector<ElfRelocation> entries;
  for (const bool with_addend : {false, true}) {
    const std::string name = fmt::format("{}{}", with_addend ? ".rela" : ".rel", section);
    const ElfSection* table = find_section(name);
    if (table == nullptr) {
      continue;
    }
    const std::uint64_t bytes = with_addend ? kRelaBytes : kRelBytes;
    for (std::uint64_t at = 0; at + bytes <= table->data.size(); at += bytes) {
      const std::uint64_t info = read_number(table->data, at + 8, 8, origin_, name);
      ElfRelocation entry;
      entry.offset = read_number(table->data, at, 8, origin_, name);
      entry.type = static_cast<std::uint32_t>(info);
      entry.symbol = static_cast<std::uint32_t>(info >> 32);
      entry.addend_in_place = !with_addend;
      if (with_addend) {
        entry.addend =
            static_cast<std::int64_t>(read_number(table->data, at + 16, 8, origin_, name));
      }
      entries.push_back(entry);
    }
  }
  return entries;
}

} // namespace coulomb::isa
