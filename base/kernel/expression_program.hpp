// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/expression_inputs.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace coulomb::kernel {

struct ExpressionCode;

/// An expression compiled for numbered inputs: its truth costs tens of nanoseconds, and neither
/// allocates nor looks names up. It means what Expression::evaluate_bool means: whatever fails, or
/// cannot be compiled, is left to the interpreter. Can be shared by threads.
class ExpressionProgram {
public:
  /// `inputs` must outlive the program.
  ExpressionProgram(Expression expression, const ExpressionInputs& inputs);

  /// Python's truth of the expression where slot i holds cells[i]. Throws UserError as the
  /// interpreter does.
  [[nodiscard]] bool holds(const Cell* cells) const;
  /// The same, but nothing where the expression cannot be evaluated.
  [[nodiscard]] std::optional<bool> try_holds(const Cell* cells) const;

  /// Slots that it reads, ascending.
  [[nodiscard]] const std::vector<std::size_t>& slots() const { return slots_; }
  /// False if every evaluation is interpreted.
  [[nodiscard]] bool compiled() const { return code_ != nullptr; }
  [[nodiscard]] const Expression& expression() const { return expression_; }

private:
  Expression expression_;
  const ExpressionInputs* inputs_;
  std::vector<std::size_t> slots_;
  std::shared_ptr<const ExpressionCode> code_;
};

} // namespace coulomb::kernel
