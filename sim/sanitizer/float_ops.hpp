// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/instruction.hpp"

#include <cstdint>

namespace coulomb::sanitizer {

/// Number formats of registers, as far as telling NaN and infinity goes.
enum class FloatFormat : std::uint8_t {
  none,
  f32,      ///< one register (tf32 too)
  f64,      ///< a pair; the high register tells
  f64_high, ///< only the high register of one
  f16x2,
  bf16x2,
};

/// What an instruction does with floating-point registers.
struct FloatOp {
  FloatFormat result = FloatFormat::none;      ///< none: it does not compute with floats
  FloatFormat source = FloatFormat::none;      ///< of its operands (of A and B, for a tensor core)
  FloatFormat accumulator = FloatFormat::none; ///< tensor cores: of C
  std::uint8_t result_registers = 1;
  bool tensor = false; ///< a result depends on the sources of all lanes
};

/// How `instruction` computes; `result` none for everything but arithmetic (moves, selections and
/// comparisons make no NaN).
[[nodiscard]] FloatOp float_op(const isa::Instruction& instruction);

/// True for the bits of a NaN or an infinity. `high`: of the pair, for f64.
[[nodiscard]] constexpr bool
is_nonfinite(FloatFormat format, std::uint32_t low, std::uint32_t high) {
  switch (format) {
  case FloatFormat::f32:
    return (low & 0x7f800000U) == 0x7f800000U;
  case FloatFormat::f64:
    return (high & 0x7ff00000U) == 0x7ff00000U;
  case FloatFormat::f64_high:
    return (low & 0x7ff00000U) == 0x7ff00000U;
  case FloatFormat::f16x2:
    return (low & 0x7c00U) == 0x7c00U || (low & 0x7c000000U) == 0x7c000000U;
  case FloatFormat::bf16x2:
    return (low & 0x7f80U) == 0x7f80U || (low & 0x7f800000U) == 0x7f800000U;
  case FloatFormat::none:
    return false;
  }
  return false;
}

} // namespace coulomb::sanitizer
