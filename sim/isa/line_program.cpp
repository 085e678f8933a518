// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/line_program.hpp"

#include "sim/isa/elf_reader.hpp"
#include "sim/isa/instruction.hpp"

#include <fmt/format.h>
#include <limits>
#include <span>

namespace coulomb::isa {
namespace {

constexpr const char* kSection = ".debug_line";
constexpr const char* kNames = ".debug_str";
/// Longer paths and more files are no compiler's; also bounds what a damaged table can allocate.
constexpr std::size_t kMaxPath = 4096;
constexpr std::size_t kMaxFiles = 65'535;

/// DWARF 2..4, section 6.2.5: standard opcodes.
enum Standard : std::uint8_t {
  kCopy = 1,
  kAdvancePc = 2,
  kAdvanceLine = 3,
  kSetFile = 4,
  kConstAddPc = 8,
  kFixedAdvancePc = 9,
};
/// Extended opcodes.
enum Extended : std::uint8_t {
  kEndSequence = 1,
  kSetAddress = 2,
  kDefineFile = 3,
  kNvidiaInlinedCall = 0x90,
};
constexpr std::uint8_t kLastSpecial = 255;

std::span<const std::uint8_t> section_data(const ElfReader& elf, std::string_view name) {
  const ElfSection* section = elf.find_section(name);
  return section == nullptr ? std::span<const std::uint8_t>{} : section->data;
}

} // namespace

LineProgram::LineProgram(const ElfReader& elf, LineTable& table)
    : elf_(elf), table_(table), cursor_(section_data(elf, kSection), elf.origin(), kSection) {
  for (const ElfRelocation& entry : elf.relocations(kSection)) {
    start_symbols_[entry.offset] = entry.symbol;
  }
}

void LineProgram::run() {
  while (!cursor_.at_end()) {
    Unit unit = read_header();
    begin_sequence();
    run_unit(unit);
  }
}

LineProgram::Unit LineProgram::read_header() {
  constexpr std::uint64_t kReservedLengths = 0xfffffff0;
  const std::uint64_t length = cursor_.number(4);
  if (length >= kReservedLengths) {
    cursor_.damaged("a unit of 64-bit DWARF");
  }
  Unit unit;
  unit.end = cursor_.offset() + length;
  const std::uint64_t version = cursor_.number(2);
  if (version < 2 || version > 4) {
    cursor_.damaged(fmt::format("DWARF version {} (2 to 4 are read)", version));
  }
  const std::uint64_t header_bytes = cursor_.number(4);
  const std::uint64_t program = cursor_.offset() + header_bytes;
  unit.minimum_length = cursor_.byte();
  if (version == 4) {
    cursor_.skip(1); // operations per instruction: of VLIW machines
  }
  cursor_.skip(1); // whether lines start as statements
  unit.line_base = static_cast<std::int8_t>(cursor_.byte());
  unit.line_range = cursor_.byte();
  unit.opcode_base = cursor_.byte();
  if (unit.line_range == 0 || unit.opcode_base == 0) {
    cursor_.damaged("a header without line range or opcodes");
  }
  unit.operand_counts.resize(unit.opcode_base);
  for (unsigned opcode = 1; opcode < unit.opcode_base; ++opcode) {
    unit.operand_counts[opcode] = cursor_.byte();
  }
  read_files(unit);
  cursor_.seek(program);
  return unit;
}

void LineProgram::read_files(Unit& unit) {
  unit.directories.emplace_back();
  for (auto name = cursor_.text(); !name.empty(); name = cursor_.text()) {
    unit.directories.emplace_back(name);
  }
  unit.files.push_back(0); // files count from 1
  const auto name_follows = [this] {
    const std::uint64_t start = cursor_.offset();
    const bool more = cursor_.byte() != 0;
    if (more) {
      cursor_.seek(start);
    }
    return more;
  };
  while (name_follows()) {
    add_file(unit);
  }
}

void LineProgram::add_file(Unit& unit) {
  std::string path(cursor_.text());
  const std::uint64_t directory = cursor_.unsigned_leb();
  static_cast<void>(cursor_.unsigned_leb()); // time of last change
  static_cast<void>(cursor_.unsigned_leb()); // bytes
  if (directory >= unit.directories.size()) {
    cursor_.damaged(
        fmt::format("directory {} of {} is referred to", directory, unit.directories.size()));
  }
  const std::string& parent = unit.directories[directory];
  if (!parent.empty() && !path.starts_with('/')) {
    path = parent + '/' + path;
  }
  if (path.size() > kMaxPath) {
    cursor_.damaged(fmt::format("a path of {} bytes", path.size()));
  }
  const auto [entry, added] =
      file_numbers_.emplace(path, static_cast<std::uint16_t>(table_.files_.size()));
  if (added) {
    if (table_.files_.size() == kMaxFiles) {
      cursor_.damaged(fmt::format("more than {} files", kMaxFiles));
    }
    table_.files_.push_back(path);
  }
  unit.files.push_back(entry->second);
}

void LineProgram::run_unit(Unit& unit) {
  while (cursor_.offset() < unit.end) {
    const std::uint8_t opcode = cursor_.byte();
    if (opcode >= unit.opcode_base) {
      special_opcode(unit, opcode);
    } else if (opcode == 0) {
      extended_opcode(unit);
    } else {
      standard_opcode(unit, opcode);
    }
  }
}

void LineProgram::special_opcode(const Unit& unit, std::uint8_t opcode) {
  const unsigned adjusted = opcode - unit.opcode_base;
  advance(unit, adjusted / unit.line_range);
  add_lines(static_cast<std::uint64_t>(std::int64_t{unit.line_base} +
                                       static_cast<std::int64_t>(adjusted % unit.line_range)));
  append_row(unit);
}

void LineProgram::standard_opcode(const Unit& unit, std::uint8_t opcode) {
  switch (opcode) {
  case kCopy:
    append_row(unit);
    return;
  case kAdvancePc:
    advance(unit, cursor_.unsigned_leb());
    return;
  case kAdvanceLine:
    // Wraps rather than overflows; append_row refuses what is no line.
    add_lines(static_cast<std::uint64_t>(cursor_.signed_leb()));
    return;
  case kSetFile:
    file_ = cursor_.unsigned_leb();
    return;
  case kConstAddPc:
    advance(unit, (kLastSpecial - unit.opcode_base) / unit.line_range);
    return;
  case kFixedAdvancePc: // the one operand that is no LEB128 number, nor scaled
    address_ += cursor_.number(2);
    return;
  default: // columns, statement marks and others: nothing we keep
    for (unsigned i = 0; i < unit.operand_counts[opcode]; ++i) {
      static_cast<void>(cursor_.unsigned_leb());
    }
  }
}

void LineProgram::extended_opcode(Unit& unit) {
  const std::uint64_t length = cursor_.unsigned_leb();
  const std::uint64_t start = cursor_.offset();
  cursor_.skip(length);
  const std::uint64_t end = cursor_.offset();
  if (length == 0) {
    return;
  }
  cursor_.seek(start);
  switch (cursor_.byte()) {
  case kEndSequence:
    end_sequence();
    break;
  case kSetAddress: {
    const std::uint64_t operand = cursor_.offset();
    start_at(operand, cursor_.number(8));
    break;
  }
  case kDefineFile:
    add_file(unit);
    break;
  case kNvidiaInlinedCall: {
    const std::uint64_t context = cursor_.unsigned_leb();
    inline_call(context, cursor_.unsigned_leb());
    break;
  }
  default: // discriminators and others
    break;
  }
  cursor_.seek(end);
}

void LineProgram::begin_sequence() {
  section_.reset();
  section_bytes_ = 0;
  address_ = 0;
  file_ = 1;
  line_ = 1;
  inlined_ = 0;
  rows_.clear();
  calls_.clear();
  call_numbers_.clear();
}

void LineProgram::start_at(std::uint64_t operand_offset, std::uint64_t address) {
  const auto found = start_symbols_.find(operand_offset);
  if (found == start_symbols_.end()) {
    return; // nothing says which section this is
  }
  const ElfSymbol& symbol = elf_.symbol(found->second);
  const ElfSection& section = elf_.section(symbol.section);
  if (!section.name.starts_with(".text.") || section.data.size() % kInstructionBytes != 0) {
    cursor_.damaged(fmt::format("a sequence of {}, which is no code", section.name));
  }
  section_ = section.name;
  section_bytes_ = section.data.size();
  address_ = address + symbol.value;
}

void LineProgram::advance(const Unit& unit, std::uint64_t operations) {
  address_ += operations * unit.minimum_length;
}

/// Modulo 2^64: a damaged table may say anything; append_row judges the result.
void LineProgram::add_lines(std::uint64_t lines) {
  line_ = static_cast<std::int64_t>(static_cast<std::uint64_t>(line_) + lines);
}

void LineProgram::append_row(const Unit& unit) {
  if (line_ < 0 || line_ > std::numeric_limits<std::uint32_t>::max()) {
    cursor_.damaged(fmt::format("line {}", line_));
  }
  if (file_ == 0 || file_ >= unit.files.size()) {
    cursor_.damaged(fmt::format("file {} of {} is referred to", file_, unit.files.size() - 1));
  }
  rows_.push_back({address_, {unit.files[file_], static_cast<std::uint32_t>(line_), inlined_}});
}

void LineProgram::inline_call(std::uint64_t context, std::uint64_t name) {
  if (context == 0) {
    inlined_ = 0;
    return;
  }
  if (context > rows_.size()) {
    cursor_.damaged(fmt::format("an inlined call from row {} of {}", context, rows_.size()));
  }
  const auto [entry, added] = call_numbers_.emplace(std::pair(context, name),
                                                    static_cast<std::uint32_t>(calls_.size()) + 1);
  if (added) {
    calls_.push_back({function_name(name), rows_[context - 1].position});
  }
  inlined_ = entry->second;
}

std::string LineProgram::function_name(std::uint64_t offset) const {
  const auto names = section_data(elf_, kNames);
  // Only whole names: a damaged table cannot make many long ones out of one.
  if (offset >= names.size() || (offset > 0 && names[offset - 1] != 0)) {
    return {};
  }
  ByteCursor cursor(names, elf_.origin(), kNames);
  cursor.seek(offset);
  return std::string(cursor.text());
}

void LineProgram::end_sequence() {
  if (section_) {
    LineTable::Section& section = table_.sections_[*section_];
    section.lines.resize(section_bytes_ / kInstructionBytes);
    const auto first_call = static_cast<std::uint32_t>(section.inlined.size());
    const auto rebased = [first_call](SourcePosition position) {
      position.inlined += position.inlined == 0 ? 0 : first_call;
      return position;
    };
    for (const InlinedCall& call : calls_) {
      section.inlined.push_back({call.function, rebased(call.site)});
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::uint64_t end = i + 1 < rows_.size() ? rows_[i + 1].address : address_;
      if (end > section_bytes_ || end < rows_[i].address) {
        cursor_.damaged(fmt::format("a row ends at {:#x}; it begins at {:#x} of {:#x} bytes of {}",
                                    end, rows_[i].address, section_bytes_, *section_));
      }
      for (std::uint64_t pc = rows_[i].address; pc < end; pc += kInstructionBytes) {
        section.lines[pc / kInstructionBytes] = rebased(rows_[i].position);
      }
    }
  }
  begin_sequence();
}

} // namespace coulomb::isa
