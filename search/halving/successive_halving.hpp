// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/strategy/fitness.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace coulomb::search {

/// Ways to evaluate the same candidate, from cheap and rough to dear and true.
struct Fidelities {
  /// Cost of one evaluation at each level, in any unit; ascending.
  std::vector<double> costs;
  std::function<Fitness(std::size_t candidate, std::size_t level)> evaluate;
};

/// What one level did.
struct Rung {
  std::size_t level = 0;
  std::vector<std::size_t> evaluated; ///< candidates, in the order in which they came
  std::vector<Fitness> fitnesses;     ///< of `evaluated`
  std::vector<std::size_t> promoted;  ///< best first; of the last level: its ranking
  double cost = 0.0;
};

/// Candidates that each level evaluates if the whole may cost `budget`: every level costs about the
/// same, none more than the one below it evaluates, one at least (Jamieson and Talwalkar, 2016).
/// Throws InternalError without a level, or for a cost that is not above 0.
[[nodiscard]] std::vector<std::size_t>
rung_sizes(std::size_t candidates, const std::vector<double>& costs, double budget);

/// Evaluates candidates 0 to `candidates` - 1 (the first ones, if there are too many for the
/// budget) at the lowest level and promotes the best of each level to the next. A candidate that
/// fails is not promoted; equals rank by number.
[[nodiscard]] std::vector<Rung>
halve(std::size_t candidates, const Fidelities& fidelities, double budget);

} // namespace coulomb::search
