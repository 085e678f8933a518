// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/configuration.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace coulomb::kernel {

/// Values that an expression can produce: T1's scalars, and lists of them (range(), [a, b],
/// comprehensions).
struct ExpressionValue {
  ParameterValue scalar = std::int64_t{0};
  std::vector<ExpressionValue> list;
  bool is_list = false;
};

/// Names visible to an expression. `lookup` returns null for an unknown name. `lookup_list`, if
/// set, is asked first for a name that is the only argument of max(), min(), sum() or len(): there
/// a tunable parameter stands for the list of its values. Pointers stay valid while the scope
/// lives.
struct Scope {
  std::function<const ExpressionValue*(const std::string&)> lookup;
  std::function<const ExpressionValue*(const std::string&)> lookup_list = {};
};

/// An expression in the Python subset that tuning files use: arithmetic (+ - * / // % **), bits (&
/// | ^ ~ << >>), comparisons with chaining (1 <= x < y), and/or/not, in, ternary, indexing, list
/// literals and comprehensions, tuples (which are lists here), and the functions min max sum abs
/// int float bool round len range ceil floor list tuple. Names may have dots, as metrics have.
/// Integers are 64-bit, and overflow is an error; / gives a float; // and % round towards minus
/// infinity, as in Python.
class Expression {
public:
  Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  Expression(const Expression&);
  Expression& operator=(const Expression&);
  ~Expression();

  /// Throws UserError with the column and what was expected.
  static Expression parse(const std::string& text);

  /// Throws UserError: unknown name (with it in the message), wrong type, division by zero.
  [[nodiscard]] ExpressionValue evaluate(const Scope& scope) const;
  [[nodiscard]] bool evaluate_bool(const Scope& scope) const;
  [[nodiscard]] std::int64_t evaluate_int(const Scope& scope) const;
  /// Free names, sorted, without function names and comprehension variables.
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] const std::string& text() const { return text_; }

  struct Node;
  /// The parsed tree, which lives as long as a copy of this expression does.
  [[nodiscard]] const Node& root() const { return *root_; }

private:
  std::shared_ptr<const Node> root_;
  std::string text_;
};

} // namespace coulomb::kernel
