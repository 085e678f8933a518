// SPDX-License-Identifier: Apache-2.0
#include "sim/sanitizer/float_ops.hpp"

namespace coulomb::sanitizer {
namespace {
using isa::Modifier;
using isa::Opcode;
using F = FloatFormat;

/// Conversions number their formats so: 1 f16, 2 f32, 3 f64, 4 bf16.
FloatFormat conversion_format(unsigned code) {
  constexpr FloatFormat kFormats[] = {F::none, F::f16x2, F::f32, F::f64, F::bf16x2};
  return code < 5 ? kFormats[code] : F::none;
}

FloatOp same(FloatFormat format) {
  return {.result = format, .source = format};
}

FloatOp half_op(const isa::Instruction& in) {
  const FloatFormat source = in.modifier(Modifier::BF16_V2) != 0 ? F::bf16x2 : F::f16x2;
  return {.result = in.modifier(Modifier::F32_) != 0 ? F::f32 : source, .source = source};
}

FloatOp special_op(const isa::Instruction& in) {
  constexpr unsigned kRcp64h = 6;
  constexpr unsigned kRsq64h = 7;
  const unsigned function = in.modifier(Modifier::func);
  if (function == kRcp64h || function == kRsq64h) {
    return same(F::f64_high);
  }
  return same(in.modifier(Modifier::F16_) != 0 ? F::f16x2 : F::f32);
}

FloatOp tensor_op(const isa::Instruction& in) {
  constexpr FloatFormat kInputs[] = {F::f16x2, F::bf16x2, F::f32, F::none};
  const bool wide = in.modifier(Modifier::acc) != 0;
  const FloatFormat accumulator = wide ? F::f32 : F::f16x2;
  return {.result = accumulator,
          .source = kInputs[in.modifier(Modifier::in_type) & 3],
          .accumulator = accumulator,
          .result_registers = static_cast<std::uint8_t>(wide ? 4 : 2),
          .tensor = true};
}
} // namespace

FloatOp float_op(const isa::Instruction& in) {
  switch (in.opcode) {
  case Opcode::FADD:
  case Opcode::FMUL:
  case Opcode::FFMA:
    return same(F::f32);
  case Opcode::DADD:
  case Opcode::DMUL:
  case Opcode::DFMA:
    return same(F::f64);
  case Opcode::HADD2:
  case Opcode::HMUL2:
  case Opcode::HFMA2:
  case Opcode::HFMA2_MMA:
    return half_op(in);
  case Opcode::MUFU:
    return special_op(in);
  case Opcode::F2F:
    return {.result = conversion_format(in.modifier(Modifier::dst)),
            .source = conversion_format(in.modifier(Modifier::src))};
  case Opcode::F2FP:
    return {.result = in.modifier(Modifier::bf) != 0 ? F::bf16x2 : F::f16x2, .source = F::f32};
  case Opcode::HMMA:
    return tensor_op(in);
  case Opcode::DMMA_884:
    return {.result = F::f64,
            .source = F::f64,
            .accumulator = F::f64,
            .result_registers = 4,
            .tensor = true};
  default:
    return {};
  }
}

} // namespace coulomb::sanitizer
