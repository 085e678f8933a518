// SPDX-License-Identifier: Apache-2.0
#include "calibration/ladder/extreme_sizes.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace coulomb::calibration {
namespace {

template <class Change>
ExtremeSize changed(const char* name, std::vector<std::int64_t> size, const Change& change) {
  for (std::int64_t& n : size) {
    n = n > 1 ? std::max<std::int64_t>(1, change(n)) : n;
  }
  return {name, std::move(size)};
}

} // namespace

std::vector<ExtremeSize> extreme_sizes(const std::vector<std::int64_t>& problem_size) {
  return {changed("smallest", problem_size, [](std::int64_t n) { return n / 8; }),
          changed("largest", problem_size, [](std::int64_t n) { return n * 2; }),
          changed("odd", problem_size, [](std::int64_t n) { return n - 1; })};
}

bool ExtremeResult::regression(double tolerance) const {
  if (reference.status != eval::EvalStatus::ok) {
    return false;
  }
  const auto slower = change();
  return !slower || *slower > tolerance;
}

std::optional<double> ExtremeResult::change() const {
  const bool both =
      winner.status == eval::EvalStatus::ok && reference.status == eval::EvalStatus::ok;
  return both ? std::optional(winner.ms / reference.ms - 1.0) : std::nullopt;
}

std::optional<std::vector<ExtremeResult>> try_extremes(const kernel::TunableSpec& spec,
                                                       const kernel::Configuration& winner,
                                                       const kernel::Configuration& reference,
                                                       const TimeBoth& time_both) {
  std::vector<ExtremeResult> results;
  for (const ExtremeSize& size : extreme_sizes(spec.problem_size)) {
    kernel::TunableSpec sized = spec;
    sized.problem_size = size.problem_size;
    const auto times = time_both(sized, {winner, reference});
    if (!times) {
      return std::nullopt;
    }
    COULOMB_CHECK(times->size() == 2, "{} times of 2 configurations", times->size());
    results.push_back({size, (*times)[0], (*times)[1]});
  }
  return results;
}

} // namespace coulomb::calibration
