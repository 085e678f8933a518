// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.hpp"
#include "calibration/noise/noise_parameters.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coulomb::calibration {

/// Whether the clock may be off its stated value.
enum class ClockState : std::uint8_t {
  free,  ///< as on a board that nobody watches
  stated ///< as in the rows that a table keeps because their clock was right
};

/// Makes up the times that a board would report for repeated launches of one configuration. All of
/// it is drawn from distributions; no recorded time is used again.
///
///     time[j] = (true x clock[j] + excess x carry^j + scale x h(z[j])), to the timer's step
///
/// clock[j] is 1, or what the clock state makes of it: drawn log-uniformly between 1 and
/// clock_factor, once for the configuration, and once more where the clock steps in
/// mid-measurement. scale is hypot(core_ms, core_relative x true), times a log-normal factor of the
/// configuration: pooled over configurations the jitter is then a scale mixture, a narrow core
/// under heavy tails. z is a first-order autoregression of unit variance; h(z) = (exp(skew z) - 1)
/// / skew, Tukey's g-distribution (Hoaglin 1985): its median is 0, its right tail long if skew is
/// above 0.
class MeasurementNoise {
public:
  explicit MeasurementNoise(const NoiseParameters& parameters) : parameters_(parameters) {}

  /// `n` successive times in ms of a kernel whose median is `true_ms` (above 0). Draws only from
  /// `random`: name the stream after the configuration, and candidates can be compared under
  /// common random numbers.
  [[nodiscard]] std::vector<double> samples(double true_ms,
                                            std::size_t n,
                                            RandomStream& random,
                                            ClockState clock = ClockState::free) const;

  [[nodiscard]] const NoiseParameters& parameters() const { return parameters_; }

private:
  NoiseParameters parameters_;
};

} // namespace coulomb::calibration
