// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/compiled_space.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace coulomb::kernel {

/// How the values of one group of parameters are enumerated: which parameter is given a value when,
/// and what that rules out. `variables` are the group's parameters, numbered from 0.
struct GroupPlan {
  /// Values of a variable that its own restrictions leave, as positions in the value list.
  std::vector<std::vector<std::uint16_t>> domains;
  /// A restriction decided by one last variable, once the others have values.
  struct Check {
    std::size_t restriction = 0;
    /// If not empty: bits of the last variable's domain, a row for each choice of the others.
    std::vector<std::uint64_t> table;
    std::vector<std::pair<std::size_t, std::size_t>> strides; ///< variable, words of `table` a step
  };
  /// Narrows the domain of one variable; from and to: where its bits are in the words of the walk.
  struct Filter {
    std::size_t variable = 0;
    std::size_t from = 0;
    std::size_t to = 0;
    std::size_t words = 0;
    std::vector<Check> checks;
  };
  struct Step {
    std::size_t variable = 0;
    std::size_t domain = 0; ///< where the bits of its domain, as narrowed before, are
    std::size_t words = 0;
    std::vector<Filter> filters; ///< after the variable was given a value
  };
  std::vector<Step> steps;
  std::size_t words = 0; ///< of all domains and their narrowed versions
  /// Some restriction cannot be evaluated at some value of its only parameter: each configuration
  /// is checked at the end.
  bool doubtful = false;
};

/// Orders the variables so that tight restrictions are decided early, and tabulates restrictions
/// over small domains. Takes milliseconds.
[[nodiscard]] GroupPlan plan_group(const CompiledSpace& space, const ParameterGroup& group);

/// Words that the bits of `values` values take.
[[nodiscard]] constexpr std::size_t words_of(std::size_t values) {
  return (values + 63) / 64;
}

} // namespace coulomb::kernel
