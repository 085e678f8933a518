// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace coulomb::calibration {

/// Where 95 % of the bootstrap replicates of a figure lie.
struct Interval {
  double low = 0.0;
  double high = 0.0;
};

/// A figure and, where it was asked for, its spread; absent if the data do not define it.
struct Figure {
  std::optional<double> value;
  std::optional<Interval> interval;
};

/// How well predicted times meet silicon, over one set of configurations. Errors, regrets and
/// noise are fractions.
struct AccuracyFigures {
  std::size_t n = 0;
  Figure mape;
  Figure median;
  std::optional<double> p90;
  Figure bias; ///< mean signed error: above 0, too long a time is predicted
  Figure spearman;
  std::optional<double> kendall;
  Figure spearman_best5pct;
  std::optional<double> top1_regret;
  std::optional<double> top5_regret;
  /// Configurations to measure, in the order of prediction, until one is within 5, 2 or 1 % of the
  /// best of the set.
  std::optional<std::size_t> runs_to_5pct;
  std::optional<std::size_t> runs_to_2pct;
  std::optional<std::size_t> runs_to_1pct;
  std::optional<double> noise_floor; ///< median relative standard deviation of silicon, if known
};

struct BootstrapSettings {
  std::size_t replicates = 1000; ///< 0: no intervals
  std::uint64_t seed = 1;
};

/// Figures of `predicted` against `silicon`: times in one unit, above 0, element i of both being
/// one configuration. `noise` is the relative standard deviation of each silicon time, 0 where it
/// is not known. Intervals: percentile bootstrap over configurations (Efron 1979), drawn with
/// replacement; the random stream is named by the seed and `name`.
[[nodiscard]] AccuracyFigures accuracy_figures(std::span<const double> silicon,
                                               std::span<const double> predicted,
                                               std::span<const double> noise,
                                               const BootstrapSettings& bootstrap,
                                               std::string_view name);

/// Configurations to measure, in the order of `predicted` (of equal ones the earlier first), until
/// one takes at most 1 + `within` times the least of `silicon`. Absent if there is none at all.
[[nodiscard]] std::optional<std::size_t>
runs_to_within(std::span<const double> silicon, std::span<const double> predicted, double within);

} // namespace coulomb::calibration
