// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "sim/isa/cubin.hpp"
#include "sim/isa/opcode_table.hpp"

#include <string_view>

namespace coulomb::isa {
namespace {

constexpr BitField kOpcodeBits{0, 12};
constexpr BitField kGuardBits{12, 3};
constexpr std::uint8_t kGuardNegate = 15;
constexpr BitField kStall{105, 4};
constexpr std::uint8_t kYieldInverted = 109;
constexpr BitField kWriteBarrier{110, 3};
constexpr BitField kReadBarrier{113, 3};
constexpr BitField kWaitMask{116, 6};
constexpr BitField kReuse{122, 4};
constexpr std::uint64_t kFormatF64 = 3;

constexpr const char* kWhereTheListIs = "data/sass/isa.json lists the opcodes and field values "
                                        "that are modelled; recompile the kernel without "
                                        "the feature, or extend the table";

std::int64_t sign_extend(std::uint64_t value, unsigned width) {
  const unsigned shift = 64 - width;
  return static_cast<std::int64_t>(value << shift) >> shift;
}

std::int64_t number(Word word, BitField field, bool is_signed) {
  const std::uint64_t raw = extract(word, field);
  return is_signed ? sign_extend(raw, field.width) : static_cast<std::int64_t>(raw);
}

[[noreturn]] void
refuse(Word word, std::uint32_t pc, const std::string& kernel, const std::string& what) {
  throw UnsupportedError(
      fmt::format("kernel {}, pc {:#x}: {} (word {:016x} {:016x}, low half first)", kernel, pc,
                  what, word.low, word.high),
      kWhereTheListIs);
}

bool condition_holds(Word word, const OperandField& field) {
  if (field.condition.width == 0) {
    return true;
  }
  const std::uint64_t value = extract(word, field.condition) | extract(word, field.condition_high)
                                                                   << field.condition.width;
  return (value == field.condition_value) == field.condition_equal;
}

void decode_memory(Word word, const OperandField& field, Operand& operand) {
  operand.has_uniform = extract_bit(word, field.uniform_flag);
  if (operand.has_uniform) {
    operand.uniform = static_cast<std::uint8_t>(extract(word, field.uniform));
    operand.descriptor = extract_bit(word, field.descriptor_bit);
    operand.cache_hint = operand.descriptor && extract_bit(word, field.cache_hint_bit);
  }
  operand.wide = extract_bit(word, field.wide_bit);
  operand.scale = static_cast<std::uint8_t>(extract(word, field.scale));
  // Without any register the offset is the address, which has no sign.
  const bool bare = operand.index == kRegisterZero && !operand.has_uniform;
  const bool plain = field.plain_offset.width != 0 && !operand.has_uniform;
  operand.value = number(word, plain ? field.plain_offset : field.offset, field.is_signed && !bare);
}

void decode_target(Word word, std::uint32_t pc, const OperandField& field, Operand& operand) {
  const auto next = static_cast<std::int64_t>(pc) + kInstructionBytes;
  if (extract_bit(word, field.absolute_if)) {
    operand.kind = OperandKind::absolute_target;
    operand.value = static_cast<std::int64_t>(extract(word, field.field)) * 4;
  } else {
    operand.value = next + number(word, field.field, true) * 4;
  }
}

/// The part of an operand that only some kinds have.
void decode_value(Word word, std::uint32_t pc, const OperandField& field, Operand& operand) {
  const std::uint64_t raw = extract(word, field.field);
  switch (field.kind) {
  case OperandKind::immediate:
    operand.value = number(word, field.field, field.is_signed);
    break;
  case OperandKind::f32_immediate:
  case OperandKind::f16x2_immediate:
    operand.value = static_cast<std::int64_t>(raw);
    break;
  case OperandKind::f64_immediate:
    if (field.format.width != 0 && extract(word, field.format) != kFormatF64) {
      operand.kind = OperandKind::f32_immediate;
      operand.value = static_cast<std::int64_t>(raw);
      break;
    }
    operand.value = static_cast<std::int64_t>(raw << 32);
    break;
  case OperandKind::lut:
    operand.value =
        static_cast<std::int64_t>(raw | extract(word, field.high_field) << field.field.width);
    break;
  case OperandKind::absolute_target:
    operand.value = static_cast<std::int64_t>(raw) * 4;
    break;
  case OperandKind::target:
    decode_target(word, pc, field, operand);
    break;
  case OperandKind::constant:
  case OperandKind::constant_indexed:
    operand.has_uniform = extract_bit(word, field.uniform_flag);
    if (operand.has_uniform) {
      operand.uniform = static_cast<std::uint8_t>(extract(word, field.uniform));
    }
    operand.index = operand.has_uniform ? kRegisterZero : static_cast<std::uint8_t>(raw);
    operand.bank = static_cast<std::uint8_t>(extract(word, field.bank));
    operand.value = number(word, field.offset, field.is_signed);
    break;
  case OperandKind::memory:
    operand.index = static_cast<std::uint8_t>(raw);
    decode_memory(word, field, operand);
    break;
  default:
    operand.index = static_cast<std::uint8_t>(field.reversed ? kPredicateTrue - raw : raw);
    break;
  }
}

Operand decode_operand(Word word, std::uint32_t pc, const OperandField& field) {
  Operand operand;
  if (!condition_holds(word, field)) {
    return operand;
  }
  operand.kind = field.kind;
  if (extract_bit(word, field.uniform_file)) {
    operand.kind = OperandKind::uniform_predicate;
  }
  operand.wide = field.wide;
  const bool negate = extract_bit(word, field.negate);
  const bool inverting = extract_bit(word, field.invert_if);
  operand.negate = negate && !inverting;
  operand.invert = (negate && inverting) || extract_bit(word, field.invert);
  operand.absolute = extract_bit(word, field.absolute);
  operand.reuse = extract_bit(word, field.reuse);
  operand.select = static_cast<std::uint8_t>(extract(word, field.select));
  decode_value(word, pc, field, operand);
  return operand;
}

Control decode_control(Word word) {
  Control control;
  control.stall = static_cast<std::uint8_t>(extract(word, kStall));
  control.yield = !extract_bit(word, kYieldInverted);
  control.write_barrier = static_cast<std::uint8_t>(extract(word, kWriteBarrier));
  control.read_barrier = static_cast<std::uint8_t>(extract(word, kReadBarrier));
  control.wait_mask = static_cast<std::uint8_t>(extract(word, kWaitMask));
  control.reuse = static_cast<std::uint8_t>(extract(word, kReuse));
  return control;
}

void check_fixed_bits(Word word,
                      std::uint32_t pc,
                      const std::string& kernel,
                      const OpcodeRow& row) {
  const Word wrong{(word.low & row.fixed.low) ^ row.ones.low,
                   (word.high & row.fixed.high) ^ row.ones.high};
  if ((wrong.low | wrong.high) == 0) [[likely]] {
    return;
  }
  unsigned bit = 0;
  while (extract(wrong, {static_cast<std::uint8_t>(bit), 1}) == 0) {
    ++bit;
  }
  refuse(word, pc, kernel, fmt::format("{}: bit {} is not modelled", opcode_name(row.opcode), bit));
}

} // namespace

unsigned Instruction::modifier(Modifier m) const {
  const OpcodeRow& info = opcode_row(row);
  for (unsigned i = 0; i < info.modifier_count; ++i) {
    if (modifier_field(info.modifiers[i]).id == m) {
      return modifiers[i];
    }
  }
  return 0;
}

Instruction
decode(std::uint64_t low, std::uint64_t high, std::uint32_t pc, const std::string& kernel) {
  const Word word{low, high};
  Instruction instruction;
  instruction.low = low;
  instruction.high = high;
  instruction.pc = pc;
  const auto value = static_cast<unsigned>(extract(word, kOpcodeBits));
  instruction.row = find_row(value);
  if (instruction.row == kNoRow) {
    refuse(word, pc, kernel, fmt::format("unknown opcode {:#05x}", value));
  }
  const OpcodeRow& row = opcode_row(instruction.row);
  check_fixed_bits(word, pc, kernel, row);
  instruction.opcode = row.opcode;
  instruction.guard = static_cast<std::uint8_t>(extract(word, kGuardBits));
  instruction.guard_negate = extract_bit(word, kGuardNegate);
  instruction.control = decode_control(word);
  for (unsigned i = 0; i < row.modifier_count; ++i) {
    const ModifierField& field = modifier_field(row.modifiers[i]);
    const std::uint64_t raw = extract(word, field.field) | extract(word, field.high_field)
                                                               << field.field.width;
    if (field.texts[raw] == nullptr) [[unlikely]] {
      refuse(word, pc, kernel,
             fmt::format("{}: value {} of the field at bit {} is not modelled",
                         opcode_name(row.opcode), raw, field.field.position));
    }
    instruction.modifiers[i] = static_cast<std::uint8_t>(raw);
  }
  instruction.operand_count = row.operand_count;
  for (unsigned i = 0; i < row.operand_count; ++i) {
    instruction.operands[i] = decode_operand(word, pc, operand_field(row.operands[i]));
  }
  return instruction;
}

} // namespace coulomb::isa
