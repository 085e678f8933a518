// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/opcode_table.hpp"

#include <cstddef>

namespace coulomb::isa {
namespace {

struct OpcodeName {
  Opcode opcode;
  std::string_view name;
};

#include "sim/isa/opcode_table.inc"

constexpr unsigned kOpcodeValues = 4096;

constexpr auto make_row_index() {
  std::array<std::uint16_t, kOpcodeValues> index{};
  index.fill(kNoRow);
  for (std::size_t row = 0; row < std::size(kRows); ++row) {
    index[kRows[row].value] = static_cast<std::uint16_t>(row);
  }
  return index;
}

constexpr auto make_names() {
  std::array<std::string_view, kOpcodeCount> names{};
  for (const OpcodeName& entry : kOpcodeNames) {
    names[static_cast<std::size_t>(entry.opcode)] = entry.name;
  }
  return names;
}

constexpr bool all_named(const std::array<std::string_view, kOpcodeCount>& names) {
  for (const std::string_view name : names) {
    if (name.empty()) {
      return false;
    }
  }
  return true;
}

constexpr auto kRowIndex = make_row_index();
constexpr auto kNames = make_names();
static_assert(all_named(kNames), "an enumerator of Opcode has no row in data/sass/isa.json");
static_assert(std::size(kModifierFields) <= 256, "OpcodeRow::modifiers holds 8-bit indices");

} // namespace

std::uint16_t find_row(unsigned opcode_value) {
  return kRowIndex[opcode_value % kOpcodeValues];
}

const OpcodeRow& opcode_row(std::uint16_t row) {
  return kRows[row];
}

std::span<const OpcodeRow> opcode_rows() {
  return kRows;
}

const ModifierField& modifier_field(std::uint8_t index) {
  return kModifierFields[index];
}

const OperandField& operand_field(std::uint16_t index) {
  return kOperandFields[index];
}

std::string_view special_register_name(std::uint8_t number) {
  return kSpecialRegisters[number];
}

std::string_view barrier_register_name(std::uint8_t number) {
  return kBarrierRegisters[number % std::size(kBarrierRegisters)];
}

std::string_view opcode_name(Opcode opcode) {
  return kNames[static_cast<std::size_t>(opcode)];
}

} // namespace coulomb::isa
