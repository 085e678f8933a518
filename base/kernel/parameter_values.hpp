// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/configuration.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::kernel {

/// Reals from `min` to `max`, both included, as a tuning space has them: a number of levels.
struct RealRange {
  double min = 0.0;
  double max = 0.0;
  std::optional<double> step;         ///< must divide max - min
  std::optional<std::int64_t> levels; ///< 33 if neither is given
  bool logarithmic = false;           ///< equal ratios instead of equal differences; min > 0
};

/// The levels, rounded to 12 significant digits but for the ends, so that they can be written down.
/// Throws UserError: an empty range, a step that does not divide, levels outside 2 to 65,536.
[[nodiscard]] std::vector<ParameterValue> real_levels(const RealRange& range);
/// The level that `value` means, rounded in the same way.
[[nodiscard]] double rounded_level(double value);

/// min, min + step, ..., max. Throws UserError as above.
[[nodiscard]] std::vector<ParameterValue>
integer_range(std::int64_t min, std::int64_t max, std::int64_t step);

/// All orders of the items, each joined with `separator`, in lexicographic order of the items'
/// places. Throws UserError for fewer than 2, more than 8, or repeated items, and for one that has
/// the separator in it.
[[nodiscard]] std::vector<ParameterValue> permutations(const std::vector<std::string>& items,
                                                       const std::string& separator);

} // namespace coulomb::kernel
