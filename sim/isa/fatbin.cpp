// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/fatbin.hpp"

#include "base/error.hpp"
#include "sim/isa/elf_reader.hpp"
#include "sim/isa/lz4_block.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace coulomb::isa {
namespace {

constexpr std::uint64_t kMagic = 0xba55ed50;
constexpr std::uint64_t kElfMagic = 0x464c457f;
constexpr std::uint64_t kElfClass64 = 2;
constexpr std::uint64_t kMachineCuda = 190;
constexpr std::uint64_t kContainerHeader = 16;
constexpr std::uint64_t kEntryHeader = 64; ///< at least; names and options follow
/// As for the global image of a cubin; stops a damaged size before memory runs out.
constexpr std::uint64_t kMaxImage = std::uint64_t{256} << 20;
constexpr std::string_view kWhat = "the fatbin";
constexpr const char* kNoCompression = "make it without compression: nvcc -Xfatbin -compress=false";

/// Bits of an entry's flags that change how its bytes are read.
struct CompressionFlag {
  std::uint64_t bit;
  FatbinCompression compression;
};
constexpr std::array<CompressionFlag, 3> kCompressionFlags = {{
    {0x10000, FatbinCompression::encrypted},
    {0x8000, FatbinCompression::zstd},
    {0x2000, FatbinCompression::lz4},
}};

/// Sections of a host file that hold fatbins: of whole programs, and of nvcc -rdc=true.
constexpr std::array<std::string_view, 2> kHostSections = {".nv_fatbin", "__nv_relfatbin"};

std::uint64_t
number_or_zero(std::span<const std::uint8_t> bytes, std::uint64_t at, unsigned width) {
  return bytes.size() >= at + width ? read_number(bytes, at, width, "", "") : 0;
}

FatbinCompression compression_of(std::uint64_t flags) {
  for (const CompressionFlag& flag : kCompressionFlags) {
    if ((flags & flag.bit) != 0) {
      return flag.compression;
    }
  }
  return FatbinCompression::none;
}

struct HostSection {
  std::string_view name;
  std::span<const std::uint8_t> data;
};

/// `count` bytes at `offset`; throws UserError if they are not all there.
std::span<const std::uint8_t> part(std::span<const std::uint8_t> bytes,
                                   std::uint64_t offset,
                                   std::uint64_t count,
                                   const std::string& origin,
                                   std::string_view what) {
  if (offset > bytes.size() || count > bytes.size() - offset) {
    throw UserError(fmt::format("{}: {} needs {:#x} bytes at {:#x} of {:#x}; the file is truncated "
                                "or damaged",
                                origin, what, count, offset, bytes.size()));
  }
  return bytes.subspan(offset, count);
}

/// Sections of a 64-bit little-endian ELF file of any machine.
std::vector<HostSection> host_sections(std::span<const std::uint8_t> bytes,
                                       const std::string& origin) {
  constexpr std::uint64_t kSectionHeader = 64;
  constexpr std::uint64_t kNoBitsType = 8;
  const auto number = [&](std::uint64_t at, unsigned width) {
    return read_number(bytes, at, width, origin, "the ELF file");
  };
  const std::uint64_t table = number(40, 8);
  const std::uint64_t count = number(60, 2);
  const std::uint64_t names_index = number(62, 2);
  const auto headers = part(bytes, table, count * kSectionHeader, origin, "the section table");
  const auto field = [&](std::uint64_t section, std::uint64_t at, unsigned width) {
    return read_number(headers, section * kSectionHeader + at, width, origin, "the section table");
  };
  const auto data = [&](std::uint64_t section) {
    return field(section, 4, 4) == kNoBitsType
               ? std::span<const std::uint8_t>{}
               : part(bytes, field(section, 24, 8), field(section, 32, 8), origin, "a section");
  };
  std::vector<HostSection> sections;
  if (count == 0) {
    return sections;
  }
  const auto names = data(names_index);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t offset = std::min<std::uint64_t>(field(i, 0, 4), names.size());
    const auto tail = names.subspan(offset);
    const auto end = std::find(tail.begin(), tail.end(), std::uint8_t{0});
    sections.push_back(
        {{reinterpret_cast<const char*>(tail.data()), static_cast<std::size_t>(end - tail.begin())},
         data(i)});
  }
  return sections;
}

} // namespace

std::string FatbinEntry::text() const {
  const std::string suffix = name.empty() ? "" : fmt::format(" ({})", name);
  switch (kind) {
  case FatbinKind::cubin:
    return fmt::format("cubin for sm_{}{}", architecture, suffix);
  case FatbinKind::ptx:
    return fmt::format("PTX for compute_{}{}", architecture, suffix);
  case FatbinKind::lto_ir:
    return fmt::format("LTO intermediate code for lto_{}{}", architecture, suffix);
  }
  return fmt::format("image of kind {} for sm_{}{}", static_cast<unsigned>(kind), architecture,
                     suffix);
}

bool Fatbin::recognises(std::span<const std::uint8_t> bytes) {
  const std::uint64_t magic = number_or_zero(bytes, 0, 4);
  return magic == kMagic || (magic == kElfMagic && number_or_zero(bytes, 4, 1) == kElfClass64 &&
                             number_or_zero(bytes, 18, 2) != kMachineCuda);
}

Fatbin Fatbin::parse(std::span<const std::uint8_t> bytes, const std::string& origin) {
  Fatbin fatbin;
  fatbin.origin_ = origin;
  if (read_number(bytes, 0, 4, origin, kWhat) == kMagic) {
    fatbin.read_containers(bytes);
    return fatbin;
  }
  bool found = false;
  for (const HostSection& section : host_sections(bytes, origin)) {
    if (std::ranges::find(kHostSections, section.name) != kHostSections.end()) {
      found = true;
      fatbin.read_containers(section.data);
    }
  }
  if (!found) {
    throw UserError(
        fmt::format("{} is a host object or program without device code (no section {})", origin,
                    kHostSections.front()),
        "give a .cubin or .fatbin, or a file that nvcc has made of a .cu");
  }
  return fatbin;
}

void Fatbin::read_containers(std::span<const std::uint8_t> bytes) {
  std::uint64_t at = 0;
  while (at < bytes.size()) {
    if (bytes[at] == 0) { // padding up to the next container
      ++at;
      continue;
    }
    at = read_container(bytes, at);
  }
}

std::uint64_t Fatbin::read_container(std::span<const std::uint8_t> bytes, std::uint64_t start) {
  const auto number = [&](std::uint64_t offset, unsigned width) {
    return read_number(bytes, start + offset, width, origin_, kWhat);
  };
  const std::uint64_t magic = number(0, 4);
  const std::uint64_t version = number(4, 2);
  const std::uint64_t header = number(6, 2);
  if (magic != kMagic || version != 1 || header < kContainerHeader) {
    throw UserError(fmt::format("{}: at {:#x} a fatbin should begin ({:#x}, version 1); found "
                                "{:#x}, version {}; the file is damaged",
                                origin_, start, kMagic, magic, version));
  }
  const std::uint64_t size = number(8, 8);
  static_cast<void>(part(bytes, start, header, origin_, kWhat));
  static_cast<void>(part(bytes, start + header, size, origin_, kWhat));
  const std::uint64_t end = start + header + size;
  for (std::uint64_t at = start + header; at < end;) {
    at = read_entry(bytes, at, end);
  }
  return end;
}

std::uint64_t
Fatbin::read_entry(std::span<const std::uint8_t> bytes, std::uint64_t start, std::uint64_t end) {
  const auto container = bytes.first(end);
  const auto number = [&](std::uint64_t offset, unsigned width) {
    return read_number(container, start + offset, width, origin_, "an entry of the fatbin");
  };
  const std::uint64_t header = number(4, 4);
  if (header < kEntryHeader) {
    throw UserError(fmt::format("{}: the fatbin entry at {:#x} has a header of {} bytes; at least "
                                "{} are needed; the file is damaged",
                                origin_, start, header, kEntryHeader));
  }
  const std::uint64_t stored = number(8, 8);
  const std::uint64_t compressed = number(16, 4);
  const std::uint64_t name_at = number(32, 4);
  const std::uint64_t name_bytes = number(36, 4);
  FatbinEntry entry;
  entry.kind = static_cast<FatbinKind>(number(0, 2));
  entry.architecture = static_cast<std::uint32_t>(number(28, 4));
  entry.compression = compression_of(number(40, 8));
  entry.stored = part(container, start + header, stored, origin_, "an entry of the fatbin");
  entry.bytes = stored;
  if (entry.compression != FatbinCompression::none) {
    entry.bytes = number(56, 8);
    // Padding follows the compressed bytes.
    entry.stored = part(entry.stored, 0, compressed, origin_, "a compressed entry of the fatbin");
  }
  if (name_bytes > 0) {
    const auto name = part(part(container, start, header, origin_, "an entry of the fatbin"),
                           name_at, name_bytes, origin_, "the name of an entry of the fatbin");
    entry.name.assign(name.begin(), name.end());
    entry.name.erase(entry.name.find_last_not_of(' ') + 1); // lists of files end with a blank
  }
  entries_.push_back(std::move(entry));
  return start + header + stored;
}

std::vector<std::uint8_t> Fatbin::image(const FatbinEntry& entry) const {
  const auto refuse = [&](const char* how) {
    throw UnsupportedError(fmt::format("{}: the {} is {}; LZ4 and uncompressed images are read",
                                       origin_, entry.text(), how),
                           kNoCompression);
  };
  if (entry.bytes > kMaxImage) {
    throw UserError(fmt::format("{}: the {} declares {} bytes; allowed are {}", origin_,
                                entry.text(), entry.bytes, kMaxImage));
  }
  switch (entry.compression) {
  case FatbinCompression::none:
    break;
  case FatbinCompression::zstd:
    refuse("compressed with Zstandard");
    break;
  case FatbinCompression::encrypted:
    refuse("encrypted");
    break;
  case FatbinCompression::lz4:
    if (auto expanded = expand_lz4_block(entry.stored, entry.bytes)) {
      return std::move(*expanded);
    }
    throw UserError(fmt::format("{}: the {} does not expand to {} bytes; the file is damaged",
                                origin_, entry.text(), entry.bytes));
  }
  return {entry.stored.begin(), entry.stored.end()};
}

} // namespace coulomb::isa
