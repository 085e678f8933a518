// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/expression_inputs.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace coulomb::kernel {

/// What an instruction does with its operands a and b. The groups are executed by a function each.
enum class Opcode : std::uint8_t {
  // control; a is the condition, `out` the target of a jump
  jump,
  jump_if,
  jump_unless,
  copy,
  fail, ///< the interpreter knows what is wrong
  // integer -> integer
  add_i,
  subtract_i,
  multiply_i,
  floor_divide_i,
  modulo_i,
  power_i,
  and_i,
  or_i,
  xor_i,
  shift_left_i,
  shift_right_i,
  equal_i,
  not_equal_i,
  less_i,
  less_equal_i,
  min_i,
  max_i,
  invert_i,
  not_i,
  abs_i,
  in_sorted_i, ///< a is in the sorted table b
  element_i,   ///< the element of table b that a indexes
  // real -> real or integer, and conversions
  to_real,
  add_r,
  subtract_r,
  multiply_r,
  divide_r,
  floor_divide_r,
  modulo_r,
  power_r,
  negate_r,
  equal_r,
  not_equal_r,
  less_r,
  less_equal_r,
  min_r,
  max_r,
  abs_r,
  truth_r,
  truncate_r,
  round_r,
  ceil_r,
  floor_r,
  // text -> integer
  equal_s,
  not_equal_s,
  less_s,
  less_equal_s,
  truth_s,
};

struct Instruction {
  Opcode op = Opcode::fail;
  std::uint16_t out = 0;
  std::uint16_t a = 0;
  std::uint16_t b = 0;
};

/// A compiled expression. Its frame is [inputs it reads | constants | temporaries].
struct ExpressionCode {
  std::vector<std::size_t> slots; ///< inputs it reads, ascending
  std::vector<Cell> constants;
  std::vector<Instruction> instructions; ///< the last one is followed by the end
  std::vector<std::vector<std::int64_t>> tables;
  std::vector<std::unique_ptr<const std::string>> texts; ///< what text constants point to
  std::uint16_t result = 0;                              ///< cell of an integer: 0 is false
};

/// Cells that a frame may have.
inline constexpr std::size_t kMaxFrameCells = 192;

/// The code of the truth of a parsed expression, or null if it has what cannot be compiled, such as
/// a list that depends on an input. Types are settled here: what then turns out differently (an
/// integer to a negative power) ends in Opcode::fail, as every error does.
[[nodiscard]] std::shared_ptr<const ExpressionCode>
compile_expression(const Expression& expression, const ExpressionInputs& inputs);

} // namespace coulomb::kernel
