// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/expression.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::kernel {

/// What the values of an input are; `mixed` if they differ in type.
enum class InputType : std::uint8_t { integer, boolean, real, text, mixed };

/// The current value of one input; the input's type says which member counts.
union Cell {
  std::int64_t integer; ///< also of a boolean: 0 or 1
  double real;
  const std::string* text;
  const ParameterValue* mixed;
};

/// The names that compiled expressions read, in numbered slots, and the constants that they use.
class ExpressionInputs {
public:
  struct Input {
    std::string name;
    std::vector<ParameterValue> values; ///< all that the slot ever holds
  };
  /// `constants` resolves the names that are no inputs; `inputs` must not be changed afterwards.
  explicit ExpressionInputs(std::vector<Input> inputs, Scope constants = {});

  [[nodiscard]] std::size_t size() const { return inputs_.size(); }
  [[nodiscard]] std::optional<std::size_t> slot(const std::string& name) const;
  [[nodiscard]] InputType type(std::size_t slot) const { return types_[slot]; }
  /// The cell of a value of the slot. Refers to `value` unless it is a number.
  [[nodiscard]] Cell cell(std::size_t slot, const ParameterValue& value) const;
  [[nodiscard]] ParameterValue value(std::size_t slot, Cell cell) const;

  /// Constants, and the value lists of inputs (see Scope::lookup_list). Refers to this object.
  [[nodiscard]] Scope constants() const;
  /// The same and the inputs, slot i being `cells[i]`. Slow: it is for messages and for what cannot
  /// be compiled. Refers to this object.
  [[nodiscard]] Scope scope(const Cell* cells) const;

private:
  std::vector<Input> inputs_;
  std::vector<InputType> types_;
  std::vector<ExpressionValue> lists_;
  Scope constants_;
};

} // namespace coulomb::kernel
