// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/expression_program.hpp"
#include "base/kernel/tunable_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coulomb::kernel {

/// A spec's parameters and restrictions, ready to be evaluated fast. Slot i is parameter i.
class CompiledSpace {
public:
  /// `spec` must outlive this. Throws UserError if a parameter has more than 65,536 values.
  explicit CompiledSpace(const TunableSpec& spec);
  CompiledSpace(const CompiledSpace&) = delete; // the programs refer to the inputs
  CompiledSpace& operator=(const CompiledSpace&) = delete;

  [[nodiscard]] const TunableSpec& spec() const { return spec_; }
  /// In the spec's order.
  [[nodiscard]] const std::vector<ExpressionProgram>& restrictions() const { return programs_; }
  /// [parameter][position in its value list].
  [[nodiscard]] const std::vector<std::vector<Cell>>& cells() const { return cells_; }
  /// Positions of a parameter's different values, ascending: a repeated value counts once.
  [[nodiscard]] const std::vector<std::uint16_t>& positions(std::size_t parameter) const {
    return positions_[parameter];
  }
  /// The first value of every parameter.
  [[nodiscard]] std::vector<Cell> first_cells() const;

private:
  const TunableSpec& spec_;
  ExpressionInputs inputs_;
  std::vector<ExpressionProgram> programs_;
  std::vector<std::vector<Cell>> cells_;
  std::vector<std::vector<std::uint16_t>> positions_;
};

/// Parameters that restrictions join, directly or through others, and those restrictions. Both
/// ascending.
struct ParameterGroup {
  std::vector<std::size_t> parameters;
  std::vector<std::size_t> restrictions;
};

/// The connected components of the graph of parameters, by first parameter. A restriction of no
/// parameter is in none.
[[nodiscard]] std::vector<ParameterGroup> parameter_groups(const CompiledSpace& space);

} // namespace coulomb::kernel
