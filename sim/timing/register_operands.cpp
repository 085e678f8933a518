// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/register_operands.hpp"

#include <algorithm>

namespace coulomb::timing {
namespace {

using isa::Modifier;
using isa::Opcode;
using isa::OperandKind;

/// Registers of each operand of an instruction: the destination, and sources by their place in the
/// text, counted from the destination.
struct Widths {
  std::uint8_t destination = 1;
  std::array<std::uint8_t, 3> source{1, 1, 1};
};

constexpr std::uint8_t kNoDestination = isa::Instruction::kMaxOperands;

/// 32-bit registers of an access: the code of the size modifier.
std::uint8_t words_of_size(const isa::Instruction& inst) {
  constexpr unsigned k64 = 5;
  constexpr unsigned k128 = 6;
  const unsigned size = inst.modifier(Modifier::size);
  return size == k128 ? 4 : size == k64 ? 2 : 1;
}

std::uint8_t words_of_atomic(const isa::Instruction& inst) {
  const unsigned type = inst.modifier(Modifier::type); // .64, .S64, .F64
  return type == 2 || type == 5 || type == 6 ? 2 : 1;
}

std::uint8_t words_of_float(unsigned type) { // code of F2F, F2I, I2F, FRND
  return type == 3 ? 2 : 1;
}

std::uint8_t words_of_integer(unsigned type) { // .U64, .S64
  return type >= 6 ? 2 : 1;
}

/// A is rows x depth, B depth x 8 columns; of a sparse A half is stored.
Widths tensor_widths(const isa::Instruction& inst) {
  struct Shape {
    std::uint8_t rows;
    std::uint16_t depth;
  };
  constexpr Shape kHmma[4] = {{16, 8}, {16, 16}, {16, 4}, {16, 32}};
  constexpr Shape kImma[8] = {{8, 16},  {8, 16},  {8, 32},  {8, 32},
                              {16, 16}, {16, 32}, {16, 64}, {16, 128}};
  constexpr Shape kBmma[4] = {{8, 128}, {16, 128}, {16, 256}, {16, 256}};
  constexpr unsigned kColumns = 8;
  constexpr unsigned kRegisterBits = 32 * 32;
  const unsigned code = inst.modifier(Modifier::shape);
  Shape shape = kBmma[code & 3];
  unsigned bits = 1;
  unsigned sum_bits = 32;
  if (inst.opcode == Opcode::HMMA) {
    shape = kHmma[code & 3];
    bits = inst.modifier(Modifier::in_type) == 2 ? 32 : 16; // TF32
    sum_bits = inst.modifier(Modifier::acc) == 0 ? 16 : 32;
  } else if (inst.opcode == Opcode::IMMA) {
    shape = kImma[code & 7];
    bits = inst.modifier(Modifier::a) >= 2 ? 4 : 8;
  }
  const bool sparse = inst.opcode != Opcode::BMMA && inst.modifier(Modifier::SP) != 0;
  const auto registers = [](unsigned elements, unsigned element_bits) {
    return static_cast<std::uint8_t>(std::max(1U, elements * element_bits / kRegisterBits));
  };
  const std::uint8_t sums = registers(shape.rows * kColumns, sum_bits);
  return {sums,
          {registers(shape.rows * shape.depth / (sparse ? 2U : 1U), bits),
           registers(shape.depth * kColumns, bits), sums}};
}

Widths widths_of(const isa::Instruction& inst) {
  switch (inst.opcode) {
  case Opcode::DADD:
  case Opcode::DMUL:
  case Opcode::DFMA:
  case Opcode::DSETP:
    return {2, {2, 2, 2}};
  case Opcode::IMAD_WIDE:
    return {2, {1, 1, 2}};
  case Opcode::HMMA:
  case Opcode::IMMA:
  case Opcode::BMMA:
    return tensor_widths(inst);
  case Opcode::DMMA_884:
    return {4, {2, 2, 4}};
  case Opcode::LD:
  case Opcode::LDG:
  case Opcode::LDL:
  case Opcode::LDS:
  case Opcode::LDC:
    return {words_of_size(inst), {1, 1, 1}};
  case Opcode::LDSM_16:
    return {static_cast<std::uint8_t>(1U << (inst.modifier(Modifier::n) & 3U)), {1, 1, 1}};
  case Opcode::ST:
  case Opcode::STG:
  case Opcode::STL:
  case Opcode::STS:
    return {0, {1, words_of_size(inst), 1}};
  case Opcode::RED:
    return {0, {1, words_of_atomic(inst), 1}};
  case Opcode::ATOM:
  case Opcode::ATOMG:
  case Opcode::ATOMS:
    return {words_of_atomic(inst), {1, words_of_atomic(inst), words_of_atomic(inst)}};
  case Opcode::F2F:
    return {words_of_float(inst.modifier(Modifier::dst)),
            {words_of_float(inst.modifier(Modifier::src)), 1, 1}};
  case Opcode::F2I:
    return {words_of_integer(inst.modifier(Modifier::dst)),
            {words_of_float(inst.modifier(Modifier::src)), 1, 1}};
  case Opcode::I2F:
    return {words_of_float(inst.modifier(Modifier::dst)),
            {words_of_integer(inst.modifier(Modifier::src)), 1, 1}};
  case Opcode::FRND:
    return {words_of_float(inst.modifier(Modifier::dst)),
            {words_of_float(inst.modifier(Modifier::dst)), 1, 1}};
  case Opcode::I2FP_F32:
    return {1, {words_of_integer(inst.modifier(Modifier::src)), 1, 1}};
  case Opcode::CS2R:
    return {static_cast<std::uint8_t>(inst.modifier(Modifier::w) + 1), {1, 1, 1}};
  case Opcode::LEPC:
    return {2, {1, 1, 1}};
  case Opcode::BRX:
  case Opcode::CALL_ABS:
  case Opcode::CALL_REL:
  case Opcode::RET:
    return {0, {2, 1, 1}};
  default:
    return {};
  }
}

/// Place of the destination among the operands: the first register, unless something else but
/// predicates comes before it or the instruction writes predicates or nothing.
std::uint8_t destination_of(const isa::Instruction& inst) {
  switch (inst.opcode) {
  case Opcode::ISETP:
  case Opcode::FSETP:
  case Opcode::DSETP:
  case Opcode::HSETP2:
  case Opcode::FCHK:
  case Opcode::BAR:
  case Opcode::NANOSLEEP:
  case Opcode::BRX:
  case Opcode::CALL_ABS:
  case Opcode::CALL_REL:
  case Opcode::RET:
  case Opcode::WARPSYNC:
    return kNoDestination;
  default:
    break;
  }
  for (std::uint8_t i = 0; i < inst.operand_count; ++i) {
    switch (inst.operands[i].kind) {
    case OperandKind::absent:
    case OperandKind::predicate:
    case OperandKind::uniform_predicate:
      continue;
    case OperandKind::reg:
      return i;
    default:
      return kNoDestination;
    }
  }
  return kNoDestination;
}

/// Whether the operand takes a source's place in Widths; it need not be a register.
bool is_source(OperandKind kind) {
  switch (kind) {
  case OperandKind::reg:
  case OperandKind::uniform_reg:
  case OperandKind::immediate:
  case OperandKind::f32_immediate:
  case OperandKind::f64_immediate:
  case OperandKind::f16x2_immediate:
  case OperandKind::constant:
  case OperandKind::constant_indexed:
  case OperandKind::memory:
    return true;
  default:
    return false;
  }
}

} // namespace

std::uint8_t RegisterOperands::reads() const {
  std::uint8_t sum = 0;
  for (std::uint8_t i = 0; i < source_count; ++i) {
    sum = static_cast<std::uint8_t>(sum + sources[i].count);
  }
  return sum;
}

RegisterOperands register_operands(const isa::Instruction& inst) {
  RegisterOperands out;
  const Widths widths = widths_of(inst);
  const std::uint8_t destination = destination_of(inst);
  std::size_t place = 0;
  for (std::uint8_t i = 0; i < inst.operand_count; ++i) {
    const isa::Operand& o = inst.operands[i];
    const bool holds_register = (o.kind == OperandKind::reg || o.kind == OperandKind::memory ||
                                 o.kind == OperandKind::constant_indexed) &&
                                o.index != isa::kRegisterZero;
    if (i == destination) {
      out.destination = {o.index, holds_register ? widths.destination : std::uint8_t{0}};
      continue;
    }
    if (!is_source(o.kind)) {
      continue;
    }
    const std::uint8_t width = place < widths.source.size() ? widths.source[place] : 1;
    ++place;
    if (holds_register && out.source_count < out.sources.size()) {
      const bool pair = o.kind == OperandKind::memory && o.wide;
      out.sources[out.source_count++] = {o.index, pair ? std::uint8_t{2} : width};
    }
  }
  return out;
}

} // namespace coulomb::timing
