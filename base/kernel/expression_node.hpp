// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/expression.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::kernel {

/// What a node of an expression tree does. The order of `children` is stated for each.
enum class NodeKind : std::uint8_t {
  constant,      ///< `value`
  name,          ///< `text`
  list,          ///< one child an element
  comprehension, ///< [element, iterable] or [element, iterable, condition]; variable in `text`
  unary,         ///< `text` is - + ~ not
  binary,        ///< `text` is an arithmetic or bit operator
  compare,       ///< children n + 1, `operators` n: a chain
  logical,       ///< `text` is and, or
  ternary,       ///< [value if true, condition, value if false]
  index,         ///< [list, index]
  call,          ///< function name in `text`, arguments in children
};

/// Operators, as they are written; the parser maps tokens to these once.
enum class Operator : std::uint8_t {
  none,
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  modulo,
  power,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,
  invert,
  logical_not,
  logical_and,
  logical_or,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  in,
  not_in,
};

/// Functions that expressions can call.
enum class Function : std::uint8_t {
  none,
  min,
  max,
  sum,
  abs,
  to_int,
  to_float,
  to_bool,
  round,
  len,
  range,
  ceil,
  floor,
  list,
};

/// The function of this name, or Function::none.
[[nodiscard]] Function function_from_name(std::string_view name);
/// Names of all functions, for messages.
[[nodiscard]] std::vector<std::string> function_names();
/// As the operator is written: "+", "not in".
[[nodiscard]] std::string_view operator_text(Operator op);

/// A node of the tree. Immutable once parsed, so that copies of an Expression share it.
struct Expression::Node {
  NodeKind kind = NodeKind::constant;
  Operator op = Operator::none;
  Function function = Function::none;
  ExpressionValue value;
  std::string text;
  std::vector<Operator> operators;
  std::vector<std::shared_ptr<const Node>> children;
  std::size_t column = 1; ///< 1-based, of the node's operator or first character
};

using NodePointer = std::shared_ptr<const Expression::Node>;

/// Parses a whole text; throws UserError with the column and what was expected.
[[nodiscard]] NodePointer parse_expression(const std::string& text);
/// Evaluates a tree; `text` is the whole expression, for messages.
[[nodiscard]] ExpressionValue
evaluate_node(const Expression::Node& node, const Scope& scope, const std::string& text);
/// Python's truth: zero, empty text and empty list are false.
[[nodiscard]] bool is_true(const ExpressionValue& value);

} // namespace coulomb::kernel
