// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/instruction.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::isa {

using Bytes = std::vector<std::uint8_t>;

inline void put(Bytes& bytes, std::uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
}

inline void put_text(Bytes& bytes, const std::string& text) {
  bytes.insert(bytes.end(), text.begin(), text.end());
  bytes.push_back(0);
}

inline void append(Bytes& bytes, const Bytes& more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

/// What a cubin of one kernel "k" with 8 instructions has of line information.
struct LineSections {
  std::uint16_t version = 2;
  Bytes program;
  Bytes names{'\0'};                         ///< .debug_str
  std::vector<std::uint64_t> program_starts; ///< operands of set_address, from the program's start
  bool has_table = true;

  [[nodiscard]] Bytes table(std::uint64_t& program_offset) const {
    Bytes header; // behind the header length
    append(header, {1, 1, 0xfb, 14, 10});
    append(header, {0, 1, 1, 1, 1, 0, 0, 0, 1});
    put_text(header, "/src");
    put_text(header, "/src/inc");
    header.push_back(0);
    put_text(header, "k.cu");
    append(header, {1, 0, 0});
    put_text(header, "h.cuh");
    append(header, {2, 0, 0});
    header.push_back(0);
    Bytes unit;
    put(unit, 6 + header.size() + program.size(), 4);
    put(unit, version, 2);
    put(unit, header.size(), 4);
    append(unit, header);
    program_offset = unit.size();
    append(unit, program);
    return unit;
  }

  /// 00 09 02 and an address, which a relocation ties to the code of the kernel.
  LineSections& start() {
    append(program, {0, 9, 2});
    program_starts.push_back(program.size());
    put(program, 0, 8);
    return *this;
  }
  LineSections& add(const Bytes& opcodes) {
    append(program, opcodes);
    return *this;
  }
};

// Opcodes of the line program.
inline const Bytes kCopy{1};
inline const Bytes kNext{2, 16};         // advance_pc: one instruction
inline const Bytes kEnd{2, 16, 0, 1, 1}; // one instruction, end_sequence
inline Bytes line_by(int lines) {
  return {3, static_cast<std::uint8_t>(lines & 0x7f)};
}
inline Bytes file(std::uint8_t number) {
  return {4, number};
}
inline Bytes inlined(std::uint8_t row, std::uint8_t name) {
  return {0, 3, 0x90, row, name};
}

/// A 64-bit ELF file of the CUDA machine with these sections.
class ElfFile {
public:
  ElfFile() { add("", 0, {}); }
  void add(const std::string& name, std::uint32_t type, const Bytes& data) {
    sections_.push_back({name, type, data});
  }
  [[nodiscard]] Bytes bytes() {
    Bytes names;
    add(".shstrtab", 3, {});
    std::vector<std::uint64_t> name_at;
    for (const Section& section : sections_) {
      name_at.push_back(names.size());
      put_text(names, section.name);
    }
    sections_.back().data = names;
    Bytes body;
    Bytes table;
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      const Section& section = sections_[i];
      put(table, name_at[i], 4);
      put(table, section.type, 4);
      put(table, 0, 8);
      put(table, 0, 8);
      put(table, 64 + body.size(), 8);
      put(table, section.data.size(), 8);
      put(table, 0, 8);
      put(table, 1, 8);
      put(table, 0, 8);
      append(body, section.data);
    }
    Bytes file{0x7f, 'E', 'L', 'F', 2, 1, 1, 0x41, 8, 0, 0, 0, 0, 0, 0, 0};
    put(file, 2, 2);
    put(file, 190, 2);
    put(file, 1, 4);
    put(file, 0, 8);
    put(file, 0, 8);
    put(file, 64 + body.size(), 8);
    put(file, 0x6005004, 4);
    for (const std::uint64_t field : {64, 0, 0, 64}) {
      put(file, field, 2);
    }
    put(file, sections_.size(), 2);
    put(file, sections_.size() - 1, 2);
    append(file, body);
    append(file, table);
    return file;
  }

private:
  struct Section {
    std::string name;
    std::uint32_t type = 0;
    Bytes data;
  };
  std::vector<Section> sections_;
};

inline Bytes cubin_with(const LineSections& lines) {
  ElfFile elf;
  elf.add(".text.k", 1, Bytes(std::size_t{8} * kInstructionBytes));
  Bytes names{0};
  put_text(names, "k");
  elf.add(".strtab", 3, names);
  Bytes symbols(24);
  put(symbols, 1, 4);
  append(symbols, {0x12, 0x10, 1, 0}); // a global function in section 1
  put(symbols, 0, 8);
  put(symbols, std::uint64_t{8} * kInstructionBytes, 8);
  elf.add(".symtab", 2, symbols);
  if (lines.has_table) {
    std::uint64_t program_offset = 0;
    elf.add(".debug_line", 1, lines.table(program_offset));
    elf.add(".debug_str", 1, lines.names);
    Bytes relocations;
    for (const std::uint64_t start : lines.program_starts) {
      put(relocations, program_offset + start, 8);
      put(relocations, (std::uint64_t{1} << 32) | 2, 8); // symbol 1, a 64-bit address
    }
    elf.add(".rel.debug_line", 9, relocations);
  }
  return elf.bytes();
}

} // namespace coulomb::isa
