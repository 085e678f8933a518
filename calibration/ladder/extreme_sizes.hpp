// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/status.hpp"
#include "base/kernel/tunable_spec.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::calibration {

/// A problem size at the edge of what a kernel is used for.
struct ExtremeSize {
  std::string name; ///< "smallest", "largest", "odd"
  std::vector<std::int64_t> problem_size;
};

/// A winner is tuned to one problem size; these are an eighth of it, twice it, and one less than it
/// in every dimension (at least 1). A dimension of 1 stays 1.
[[nodiscard]] std::vector<ExtremeSize> extreme_sizes(const std::vector<std::int64_t>& problem_size);

/// What became of one configuration at one size.
struct SizedTime {
  eval::EvalStatus status = eval::EvalStatus::crashed;
  std::string message;
  double ms = 0.0; ///< meaningful if ok
};

/// The winner against the default configuration.
struct ExtremeResult {
  ExtremeSize size;
  SizedTime winner;
  SizedTime reference;

  /// The winner is slower by more than `tolerance`, or fails where the reference runs.
  [[nodiscard]] bool regression(double tolerance = 0.01) const;
  /// winner / reference - 1, if both ran.
  [[nodiscard]] std::optional<double> change() const;
};

/// By configuration, their times with this spec. Nothing if it was interrupted.
using TimeBoth = std::function<std::optional<std::vector<SizedTime>>(
    const kernel::TunableSpec& spec, const std::vector<kernel::Configuration>& configurations)>;

/// The regression guard: both configurations at every extreme size. A size that the spec cannot
/// launch has the status of both in it. Nothing if it was interrupted.
[[nodiscard]] std::optional<std::vector<ExtremeResult>>
try_extremes(const kernel::TunableSpec& spec,
             const kernel::Configuration& winner,
             const kernel::Configuration& reference,
             const TimeBoth& time_both);

} // namespace coulomb::calibration
