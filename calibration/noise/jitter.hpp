// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace coulomb::calibration {

/// Launches of one configuration in ms, in the order measured.
using Launches = std::vector<double>;

/// What repeated launches show of their noise, by one estimator for recorded and for made-up times.
struct Jitter {
  /// Deviations of the runs 2.. of every configuration from their median, in half steps of the
  /// timer (the median of an even number may lie between two); sorted.
  std::vector<std::int32_t> residuals;
  /// Of each configuration, in the order given:
  std::vector<double> medians_ms;          ///< of the runs 2..
  std::vector<std::int32_t> ranges;        ///< 90th less 10th percentile of its residuals
  std::vector<double> first_excess_ms;     ///< run 1 less the median of the runs 2..
  std::vector<std::optional<double>> lag1; ///< of the runs 2..; absent if they are all equal
};

/// Each configuration has at least kLeastLaunches launches. Times are first rounded to `quantum_ms`
/// (1 ns if that is 0), so that recorded values that a wider format has blurred tie again.
inline constexpr std::size_t kLeastLaunches = 4;
[[nodiscard]] Jitter jitter_of(std::span<const Launches> configurations, double quantum_ms);

/// Two-sample Kolmogorov-Smirnov distance: the largest difference of the two step functions, taken
/// only past all values that tie. Both sorted and not empty.
[[nodiscard]] double ks_distance(std::span<const std::int32_t> a, std::span<const std::int32_t> b);

/// Lag-1 autocorrelation about the mean. Absent if the values do not vary.
[[nodiscard]] std::optional<double> lag1_autocorrelation(std::span<const double> values);

/// The step of the timer in ms: the largest whole number of ns (8.192 us at most) that 99 % of all
/// times are a multiple of, to what single-precision milliseconds hold. 0 if there is none.
[[nodiscard]] double timer_quantum_ms(std::span<const Launches> configurations);

/// The clearest level step among the runs 2..: time after over time before, by medians of at least
/// 4 runs on each side. 1 if there is none or less than 9 launches.
[[nodiscard]] double level_step(const Launches& launches);

} // namespace coulomb::calibration
