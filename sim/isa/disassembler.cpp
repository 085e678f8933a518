// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/cubin.hpp"
#include "sim/isa/number_text.hpp"
#include "sim/isa/opcode_table.hpp"

#include <array>
#include <bit>
#include <fmt/format.h>

namespace coulomb::isa {
namespace {

constexpr std::uint8_t kNumberedBarriers = 16;

std::string register_text(std::uint8_t index) {
  return index == kRegisterZero ? "RZ" : fmt::format("R{}", index);
}

std::string uniform_text(std::uint8_t index) {
  return index == kUniformZero ? "URZ" : fmt::format("UR{}", index);
}

std::string predicate_text(bool uniform, std::uint8_t index) {
  const char* file = uniform ? "UP" : "P";
  return index == kPredicateTrue ? fmt::format("{}T", file) : fmt::format("{}{}", file, index);
}

/// c[0x0][0x160]; packed-half instructions print a blank between the brackets.
std::string constant_text(const Operand& operand, const OperandField& field) {
  const bool packed_half = field.select.width == 2 && field.negate != 0;
  if (operand.has_uniform) {
    return fmt::format("cx[{}]{}[{:#x}]", uniform_text(operand.uniform), packed_half ? " " : "",
                       operand.value);
  }
  return fmt::format("c[{:#x}]{}[{:#x}]", operand.bank, packed_half ? " " : "", operand.value);
}

std::string indexed_constant_text(const Operand& operand) {
  std::string address;
  if (operand.has_uniform) {
    address = uniform_text(operand.uniform);
  } else if (operand.index != kRegisterZero) {
    address = register_text(operand.index);
  }
  if (operand.value != 0 || address.empty()) {
    address += address.empty() ? "" : "+";
    address += hex_text(operand.value);
  }
  return fmt::format("c[{:#x}][{}]", operand.bank, address);
}

std::string memory_text(const Operand& operand, const OperandField& field) {
  static constexpr std::array<const char*, 4> kScales{"", ".X4", ".X8", ".X16"};
  std::string address;
  const auto add = [&](const std::string& part) { address += (address.empty() ? "" : "+") + part; };
  const bool adds_uniform = operand.has_uniform && !operand.descriptor &&
                            (operand.uniform != kUniformZero || field.show_uniform_zero);
  const bool bare = operand.index == kRegisterZero;
  if (!bare || (!adds_uniform && operand.value == 0)) {
    std::string base = register_text(operand.index) + kScales[operand.scale & 3];
    if (operand.wide) {
      base += ".64";
    } else if (operand.has_uniform && field.wide_bit != 0) {
      base += ".U32";
    }
    add(base);
  }
  if (adds_uniform) {
    add(uniform_text(operand.uniform));
  }
  if (operand.value != 0) {
    add(hex_text(operand.value));
  }
  const std::string hint =
      operand.cache_hint ? fmt::format("desc[{}]", uniform_text(operand.uniform)) : "";
  return fmt::format("{}[{}]", hint, address);
}

/// The high half comes first.
std::string packed_immediate_text(std::int64_t value, bool bfloat16) {
  const auto low = static_cast<std::uint16_t>(value);
  const auto high = static_cast<std::uint16_t>(value >> 16);
  const auto text = [&](std::uint16_t half) {
    return float_text(bfloat16 ? bfloat16_value(half) : half_value(half));
  };
  return text(high) + ", " + text(low);
}

/// The operand without sign, reuse mark and selector.
std::string
body_text(const Instruction& instruction, const Operand& operand, const OperandField& field) {
  switch (operand.kind) {
  case OperandKind::reg:
    return register_text(operand.index);
  case OperandKind::uniform_reg:
    return uniform_text(operand.index);
  case OperandKind::predicate:
  case OperandKind::uniform_predicate:
    return predicate_text(operand.kind == OperandKind::uniform_predicate, operand.index);
  case OperandKind::f32_immediate:
    return float_text(std::bit_cast<float>(static_cast<std::uint32_t>(operand.value)));
  case OperandKind::f64_immediate:
    return float_text(std::bit_cast<double>(operand.value));
  case OperandKind::f16x2_immediate:
    return packed_immediate_text(operand.value, instruction.modifier(Modifier::BF16_V2) != 0);
  case OperandKind::constant:
    return constant_text(operand, field);
  case OperandKind::constant_indexed:
    return indexed_constant_text(operand);
  case OperandKind::memory:
    return memory_text(operand, field);
  case OperandKind::special_register:
    return std::string(special_register_name(operand.index));
  case OperandKind::convergence_barrier:
    return operand.index < kNumberedBarriers ? fmt::format("B{}", operand.index)
                                             : std::string(barrier_register_name(operand.index));
  case OperandKind::scoreboard:
    return fmt::format("SB{}", operand.index);
  case OperandKind::target:
    return hex_text(field.relative_text ? operand.value - instruction.pc - kInstructionBytes
                                        : operand.value);
  case OperandKind::literal:
    return field.text;
  default:
    return hex_text(operand.value);
  }
}

bool is_predicate(OperandKind kind) {
  return kind == OperandKind::predicate || kind == OperandKind::uniform_predicate;
}

std::string
operand_text(const Instruction& instruction, const Operand& operand, const OperandField& field) {
  std::string text;
  if (operand.invert) {
    text += '~';
  }
  if (operand.negate) {
    text += is_predicate(operand.kind) ? '!' : '-';
  }
  const std::string body = body_text(instruction, operand, field);
  text += operand.absolute ? fmt::format("|{}|", body) : body;
  if (operand.reuse) {
    text += ".reuse";
  }
  if (field.select_texts != nullptr) {
    const char* selector = field.select_texts[operand.select];
    text += selector == nullptr ? "" : selector;
  }
  if (operand.kind != OperandKind::literal) {
    text += field.text;
  }
  return text;
}

bool is_hidden(const Operand& operand, const OperandField& field) {
  switch (operand.kind) {
  case OperandKind::absent:
    return true;
  case OperandKind::reg:
    return field.hide_default && operand.index == kRegisterZero;
  case OperandKind::uniform_reg:
    return field.hide_default && operand.index == kUniformZero;
  case OperandKind::predicate:
  case OperandKind::uniform_predicate:
    return field.hide_default && operand.index == kPredicateTrue && !operand.negate;
  case OperandKind::immediate:
    return operand.value == field.hidden_value;
  case OperandKind::absolute_target:
    return field.kind == OperandKind::absolute_target && !field.show_zero && operand.value == 0;
  default:
    return false;
  }
}

/// ".MOV", ".IADD" or ".SHL" for the multiply-adds that only move, add or shift.
/// Operands: destination, a, b, c.
std::string_view imad_alias(const Instruction& instruction) {
  if (instruction.modifier(Modifier::X_) != 0) {
    return "";
  }
  const Operand& a = instruction.operands[1];
  const Operand& b = instruction.operands[2];
  const Operand& c = instruction.operands[3];
  const auto is_zero = [](const Operand& operand) {
    return operand.kind == OperandKind::reg && operand.index == kRegisterZero;
  };
  if (is_zero(a) && is_zero(b) && c.kind != OperandKind::uniform_reg) {
    return ".MOV";
  }
  if (b.kind != OperandKind::immediate) {
    return "";
  }
  if (b.value == 1) {
    return ".IADD";
  }
  const auto factor = static_cast<std::uint32_t>(b.value);
  constexpr std::uint32_t kPrintedAsMultiply = 0x10000;
  return std::has_single_bit(factor) && factor != kPrintedAsMultiply && is_zero(c) ? ".SHL" : "";
}

std::string mnemonic_text(const Instruction& instruction, const OpcodeRow& row) {
  std::string text(opcode_name(instruction.opcode));
  if (row.imad_alias) {
    text += imad_alias(instruction);
  }
  for (unsigned i = 0; i < row.modifier_count; ++i) {
    text += modifier_field(row.modifiers[i]).texts[instruction.modifiers[i]];
  }
  return text;
}

std::string_view
separator(const Instruction& instruction, unsigned previous, const Operand& operand) {
  const bool after_register = instruction.operands[previous].kind == OperandKind::reg;
  const bool is_target =
      operand.kind == OperandKind::target || operand.kind == OperandKind::absolute_target;
  return after_register && is_target ? " " : ", "; // BRX R2 -0x110
}

} // namespace

std::string disassemble(const Instruction& instruction) {
  const OpcodeRow& row = opcode_row(instruction.row);
  std::string text;
  if (instruction.has_guard()) {
    text = fmt::format("@{}{} ", instruction.guard_negate ? "!" : "",
                       predicate_text(row.uniform_guard, instruction.guard));
  }
  text += mnemonic_text(instruction, row);
  int previous = -1;
  for (unsigned i = 0; i < row.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    const OperandField& field = operand_field(row.operands[i]);
    if (is_hidden(operand, field)) {
      continue;
    }
    text += previous < 0 ? " " : separator(instruction, static_cast<unsigned>(previous), operand);
    text += operand_text(instruction, operand, field);
    previous = static_cast<int>(i);
  }
  if (text.back() == ' ') { // "+INF " is the only part that ends with a blank
    text.pop_back();
  }
  return text;
}

} // namespace coulomb::isa
