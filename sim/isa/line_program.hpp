// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/byte_cursor.hpp"
#include "sim/isa/line_table.hpp"

#include <map>
#include <optional>
#include <utility>

namespace coulomb::isa {

/// Runs the line programs of .debug_line into a LineTable. Throws UserError for damage, or for a
/// version of DWARF that is not read.
class LineProgram {
public:
  LineProgram(const ElfReader& elf, LineTable& table);
  void run();

private:
  /// What a unit's header says about its opcodes.
  struct Unit {
    std::uint64_t end = 0; ///< offset of the unit behind this one
    std::uint8_t minimum_length = 1;
    std::int8_t line_base = 0;
    std::uint8_t line_range = 1;
    std::uint8_t opcode_base = 1;
    std::vector<std::uint8_t> operand_counts; ///< of the standard opcodes, from 1
    std::vector<std::string> directories;     ///< 0 is the compiler's own
    std::vector<std::uint16_t> files;         ///< index in the table's files
  };
  struct Row {
    std::uint64_t address = 0;
    SourcePosition position;
  };

  [[nodiscard]] Unit read_header();
  void read_files(Unit& unit);
  void add_file(Unit& unit);
  void run_unit(Unit& unit);
  void standard_opcode(const Unit& unit, std::uint8_t opcode);
  void special_opcode(const Unit& unit, std::uint8_t opcode);
  void extended_opcode(Unit& unit);
  void begin_sequence();
  void start_at(std::uint64_t operand_offset, std::uint64_t address);
  void advance(const Unit& unit, std::uint64_t operations);
  void append_row(const Unit& unit);
  void add_lines(std::uint64_t lines);
  void inline_call(std::uint64_t context, std::uint64_t name);
  void end_sequence();
  [[nodiscard]] std::string function_name(std::uint64_t offset) const;

  const ElfReader& elf_;
  LineTable& table_;
  ByteCursor cursor_;
  std::map<std::uint64_t, std::uint32_t> start_symbols_; ///< relocated offset -> symbol
  std::map<std::string, std::uint16_t> file_numbers_;

  // The state machine, and what the current sequence has produced.
  std::optional<std::string> section_; ///< code section; nothing before the start address
  std::uint64_t section_bytes_ = 0;
  std::uint64_t address_ = 0;
  std::uint64_t file_ = 1;
  std::int64_t line_ = 1;
  std::uint32_t inlined_ = 0;
  std::vector<Row> rows_;
  std::vector<InlinedCall> calls_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> call_numbers_;
};

} // namespace coulomb::isa
