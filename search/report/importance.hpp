// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/report/measure.hpp"
#include "search/report/parameter_levels.hpp"

#include <string>
#include <vector>

namespace coulomb::search {

/// Fewer evaluations than this say nothing about which parameter matters.
inline constexpr std::size_t kImportanceMinimum = 20;

/// How much of the differences in the objective one parameter alone accounts for.
struct ParameterImportance {
  std::string name;
  std::size_t values = 0; ///< different ones that were evaluated, 2 or more
  /// Share of the variance that lies between groups of equal value, less what so many
  /// groups explain by chance: epsilon squared of a one-way analysis of variance (Kelley 1935), not
  /// below 0. Numbers of more than 8 values make 8 groups of neighbours, equally full.
  double share = 0.0;
  /// The raw share exceeds what 99 random reassignments of the values gave, each of them.
  bool beyond_chance = false;
};

struct Importance {
  std::size_t evaluations = 0; ///< different configurations that ran
  bool values_differ = false;
  std::string quantity = "log(time)"; ///< of which the variance is: the objective itself where
                                      ///< some values have no logarithm
  std::vector<ParameterImportance> parameters; ///< by falling share, then in the spec's order
  std::vector<std::string> constant;           ///< those of which one value was evaluated only
};

/// The same for the same records. Main effects only: what parameters do together is in none of the
/// shares, and since a search does not sample at random, shares may overlap or exceed 1 in sum.
[[nodiscard]] Importance parameter_importance(const SearchRecords& records, const Measure& measure);

} // namespace coulomb::search
