// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/encoder.hpp"

#include "base/error.hpp"
#include "sim/isa/opcode_table.hpp"

namespace coulomb::isa {
namespace {

std::uint64_t mask_of(unsigned width) {
  return width == 0 ? 0 : ~std::uint64_t{0} >> (64 - width);
}

/// Writes fields into a word and knows what to say when a value does not fit.
class WordWriter {
public:
  WordWriter(EncodedWord word, const OpcodeRow& row) : word_(word), row_(row) {}

  void select_operand(unsigned operand) { operand_ = operand; }

  void put(BitField field, std::uint64_t value) {
    if ((value & ~mask_of(field.width)) != 0) {
      refuse(fmt::format("value {:#x} does not fit {} bits at bit {}", value, field.width,
                         field.position));
    }
    if (field.width != 0) {
      store(field, value);
    }
  }

  void put_signed(BitField field, std::int64_t value, bool is_signed) {
    const std::int64_t limit = std::int64_t{1} << (field.width - 1);
    if (is_signed && (value < -limit || value >= limit)) {
      refuse(fmt::format("value {} does not fit {} signed bits at bit {}", value, field.width,
                         field.position));
    }
    put(field, is_signed ? static_cast<std::uint64_t>(value) & mask_of(field.width)
                         : static_cast<std::uint64_t>(value));
  }

  void put_bit(std::uint8_t position, bool value) {
    if (position != 0) {
      store({position, 1}, value ? 1 : 0);
    } else if (value) {
      refuse("a flag is set that this form of the opcode does not have");
    }
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw UserError(fmt::format("cannot encode {} ({:#05x}), operand {}: {}",
                                opcode_name(row_.opcode), row_.value, operand_, what),
                    "see the row of that opcode value in data/sass/isa.json");
  }

  [[nodiscard]] EncodedWord word() const { return word_; }

private:
  void store(BitField field, std::uint64_t value) {
    const std::uint64_t mask = mask_of(field.width);
    if (field.position >= 64) {
      const unsigned shift = field.position - 64U;
      word_.high = (word_.high & ~(mask << shift)) | value << shift;
      return;
    }
    word_.low = (word_.low & ~(mask << field.position)) | value << field.position;
    if (field.position + field.width > 64) {
      const unsigned shift = 64U - field.position;
      word_.high = (word_.high & ~(mask >> shift)) | value >> shift;
    }
  }

  EncodedWord word_;
  const OpcodeRow& row_;
  unsigned operand_ = 0;
};

void put_control(WordWriter& writer, const Control& control) {
  writer.put({105, 4}, control.stall);
  writer.put({109, 1}, control.yield ? 0 : 1);
  writer.put({110, 3}, control.write_barrier);
  writer.put({113, 3}, control.read_barrier);
  writer.put({116, 6}, control.wait_mask);
  writer.put({122, 4}, control.reuse);
}

void put_memory(WordWriter& writer, const OperandField& field, const Operand& operand) {
  writer.put(field.field, operand.index);
  writer.put_bit(field.uniform_flag, operand.has_uniform);
  if (operand.has_uniform) {
    writer.put(field.uniform, operand.uniform);
    writer.put_bit(field.descriptor_bit, operand.descriptor);
    writer.put_bit(field.cache_hint_bit, operand.cache_hint);
  }
  writer.put_bit(field.wide_bit, operand.wide);
  writer.put(field.scale, operand.scale);
  const bool bare = operand.index == kRegisterZero && !operand.has_uniform;
  const bool plain = field.plain_offset.width != 0 && !operand.has_uniform;
  writer.put_signed(plain ? field.plain_offset : field.offset, operand.value,
                    field.is_signed && !bare);
}

void put_target(WordWriter& writer,
                const Instruction& instruction,
                const OperandField& field,
                const Operand& operand) {
  const bool absolute = operand.kind == OperandKind::absolute_target;
  if (field.kind == OperandKind::target) {
    writer.put_bit(field.absolute_if, absolute);
  }
  const std::int64_t base =
      absolute ? 0 : static_cast<std::int64_t>(instruction.pc) + kInstructionBytes;
  if ((operand.value - base) % 4 != 0) {
    writer.refuse(fmt::format("target {:#x} is not a multiple of 4 bytes away", operand.value));
  }
  writer.put_signed(field.field, (operand.value - base) / 4, !absolute);
}

void put_constant(WordWriter& writer, const OperandField& field, const Operand& operand) {
  const bool indexed_by_uniform = field.field.width == 0 && operand.index == kRegisterZero;
  if (operand.kind == OperandKind::constant_indexed && !indexed_by_uniform) {
    writer.put(field.field, operand.index);
  }
  writer.put_bit(field.uniform_flag, operand.has_uniform);
  if (operand.has_uniform) {
    writer.put(field.uniform, operand.uniform);
  }
  writer.put(field.bank, operand.bank);
  writer.put_signed(field.offset, operand.value, field.is_signed);
}

void put_value(WordWriter& writer,
               const Instruction& instruction,
               const OperandField& field,
               const Operand& operand) {
  const auto bits = static_cast<std::uint64_t>(operand.value);
  switch (operand.kind) {
  case OperandKind::immediate:
    writer.put_signed(field.field, operand.value, field.is_signed);
    break;
  case OperandKind::f32_immediate:
  case OperandKind::f16x2_immediate:
    writer.put(field.field, bits);
    break;
  case OperandKind::f64_immediate:
    if ((bits & mask_of(32)) != 0) {
      writer.refuse(
          fmt::format("only doubles with a zero low word can be immediates, found {:#x}", bits));
    }
    writer.put(field.field, bits >> 32);
    break;
  case OperandKind::lut:
    writer.put(field.field, bits & mask_of(field.field.width));
    writer.put(field.high_field, bits >> field.field.width);
    break;
  case OperandKind::target:
  case OperandKind::absolute_target:
    put_target(writer, instruction, field, operand);
    break;
  case OperandKind::constant:
  case OperandKind::constant_indexed:
    put_constant(writer, field, operand);
    break;
  case OperandKind::memory:
    put_memory(writer, field, operand);
    break;
  case OperandKind::literal:
    break;
  default:
    writer.put(field.field, field.reversed ? kPredicateTrue - operand.index : operand.index);
    break;
  }
}

bool kind_fits(const OperandField& field, OperandKind kind) {
  return field.kind == kind || (field.format.width != 0 && kind == OperandKind::f32_immediate) ||
         (kind == OperandKind::uniform_predicate && field.uniform_file != 0) ||
         (kind == OperandKind::absolute_target && field.absolute_if != 0);
}

void put_operand(WordWriter& writer,
                 const Instruction& instruction,
                 const OperandField& field,
                 const Operand& operand) {
  if (operand.kind == OperandKind::absent) {
    return;
  }
  if (!kind_fits(field, operand.kind)) {
    writer.refuse(fmt::format("the operand is of kind {}, the row has kind {}",
                              static_cast<int>(operand.kind), static_cast<int>(field.kind)));
  }
  if (field.uniform_file != 0) {
    writer.put_bit(field.uniform_file, operand.kind == OperandKind::uniform_predicate);
  }
  if (field.invert_if != 0) {
    writer.put_bit(field.negate, operand.negate || operand.invert);
  } else {
    writer.put_bit(field.negate, operand.negate);
    writer.put_bit(field.invert, operand.invert);
  }
  writer.put_bit(field.absolute, operand.absolute);
  writer.put_bit(field.reuse, operand.reuse);
  writer.put(field.select, operand.select);
  put_value(writer, instruction, field, operand);
}

} // namespace

EncodedWord encode(const Instruction& instruction) {
  const OpcodeRow& row = opcode_row(instruction.row);
  WordWriter writer({instruction.low, instruction.high}, row);
  writer.put({0, 12}, row.value);
  writer.put({12, 3}, instruction.guard);
  writer.put({15, 1}, instruction.guard_negate ? 1 : 0);
  put_control(writer, instruction.control);
  for (unsigned i = 0; i < row.modifier_count; ++i) {
    const ModifierField& field = modifier_field(row.modifiers[i]);
    const std::uint64_t value = instruction.modifiers[i];
    writer.put(field.field, value & mask_of(field.field.width));
    writer.put(field.high_field, value >> field.field.width);
  }
  for (unsigned i = 0; i < row.operand_count; ++i) {
    writer.select_operand(i);
    put_operand(writer, instruction, operand_field(row.operands[i]), instruction.operands[i]);
  }
  return writer.word();
}

} // namespace coulomb::isa
