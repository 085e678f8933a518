// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/instruction.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace coulomb::isa {

/// Bits position .. position + width - 1 of the 128-bit word; width 0 means no such field.
/// A field never crosses bit 64 except the branch displacement (34..81), which `extract` allows
/// for.
struct BitField {
  std::uint8_t position = 0;
  std::uint8_t width = 0;
};

/// A 128-bit instruction word; bit 0 is the least significant bit of `low`.
struct Word {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

[[nodiscard]] constexpr std::uint64_t extract(Word word, BitField field) {
  if (field.width == 0) {
    return 0;
  }
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - field.width);
  if (field.position >= 64) {
    return (word.high >> (field.position - 64)) & mask;
  }
  std::uint64_t value = word.low >> field.position;
  if (field.position + field.width > 64) {
    value |= word.high << (64 - field.position);
  }
  return value & mask;
}

/// Bit 0 belongs to the opcode, so position 0 stands for "no such bit" and reads as false.
[[nodiscard]] constexpr bool extract_bit(Word word, std::uint8_t position) {
  return position != 0 && extract(word, {position, 1}) != 0;
}

/// One modifier: its value is `field` with `high_field` above it; `texts[value]` is what is printed
/// after the mnemonic, null where the value is not modelled.
struct ModifierField {
  Modifier id;
  BitField field;
  BitField high_field;
  const char* const* texts;
};

inline constexpr std::int64_t kNothingHidden = std::numeric_limits<std::int64_t>::min();

/// How one operand is encoded and printed. Members of type uint8_t that name bits hold a bit
/// position, 0 = none.
struct OperandField {
  OperandKind kind = OperandKind::absent;
  BitField field{};        ///< register number, immediate, or memory base
  BitField high_field{};   ///< upper part of a truth table
  BitField offset{};       ///< memory and constant offset, bytes
  BitField plain_offset{}; ///< memory: where the offset lies when there is no UR, if elsewhere
  BitField format{};       ///< of a conversion: an F64 immediate is one of 32 bits unless this is 3
  BitField bank{};         ///< constant bank
  std::uint8_t negate = 0;
  std::uint8_t absolute = 0;
  std::uint8_t invert = 0;
  std::uint8_t invert_if = 0; ///< when set, `negate` means bitwise not
  std::uint8_t reuse = 0;
  std::uint8_t uniform_file = 0; ///< selects the uniform predicate file
  std::uint8_t absolute_if = 0;  ///< the target is absolute when set
  BitField select{};             ///< half or byte selector
  const char* const* select_texts = nullptr;
  BitField uniform{}; ///< UR of a memory or bindless constant operand
  std::uint8_t uniform_flag = 0;
  std::uint8_t wide_bit = 0;
  std::uint8_t descriptor_bit = 0;
  std::uint8_t cache_hint_bit = 0; ///< prints desc[UR]
  BitField scale{};
  BitField
      condition{}; ///< the operand exists only if this field has (or has not) `condition_value`
  BitField condition_high{};
  std::uint8_t condition_value = 0;
  bool condition_equal = true;
  bool is_signed = false;
  bool hide_default = false;                  ///< not printed when it is PT, UPT, RZ or URZ
  std::int64_t hidden_value = kNothingHidden; ///< immediate that is not printed
  bool reversed = false;                      ///< predicate stored as 7 - index
  bool wide = false;
  bool show_uniform_zero = false;
  bool relative_text = false; ///< target printed without pc + 16
  bool show_zero = false;     ///< absolute target printed even when it is zero
  const char* text = "";      ///< suffix, or the whole text of a literal
};

/// One 12-bit opcode value. `modifiers` and `operands` index the field tables.
struct OpcodeRow {
  std::uint16_t value;
  Opcode opcode;
  bool imad_alias;    ///< printed as .MOV, .IADD or .SHL where the operands allow
  bool uniform_guard; ///< the guard is a uniform predicate
  std::uint8_t modifier_count;
  std::uint8_t operand_count;
  std::array<std::uint8_t, 8> modifiers;
  std::array<std::uint16_t, 10> operands;
  Word fixed; ///< bits 0..104 that no field covers
  Word ones;  ///< those of `fixed` that are one; the others are zero
};

inline constexpr std::uint16_t kNoRow = 0xffff;

/// Row number of a 12-bit opcode value, kNoRow if there is none.
[[nodiscard]] std::uint16_t find_row(unsigned opcode_value);
/// Row of the table; `row` < opcode_rows().size().
[[nodiscard]] const OpcodeRow& opcode_row(std::uint16_t row);
[[nodiscard]] std::span<const OpcodeRow> opcode_rows();
[[nodiscard]] const ModifierField& modifier_field(std::uint8_t index);
[[nodiscard]] const OperandField& operand_field(std::uint16_t index);

/// "SR_TID.X" and so on.
[[nodiscard]] std::string_view special_register_name(std::uint8_t number);
/// Name in BMOV: "B0".."B15", "MACTIVE"...; number < 32.
[[nodiscard]] std::string_view barrier_register_name(std::uint8_t number);

} // namespace coulomb::isa
