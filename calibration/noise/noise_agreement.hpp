// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/noise/jitter.hpp"
#include "calibration/noise/measurement_noise.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::calibration {

/// One figure of recorded and of made-up launches.
struct NoiseFigure {
  std::string name;
  std::string unit;
  std::optional<double> recorded;
  std::optional<double> simulated;
};

/// How well made-up launches match recorded ones of the same configurations.
struct NoiseAgreement {
  std::size_t configurations = 0;
  double ks = 0.0; ///< Kolmogorov-Smirnov distance of the pooled residuals, to the timer's step
  double ks_range = 0.0; ///< of the configurations' own ranges (p90 - p10)
  /// Of the pooled residuals of each fifth of the configurations, the shortest kernels first.
  std::vector<double> ks_fifths;
  std::vector<NoiseFigure> figures; ///< quantiles, first-run excess, autocorrelation
};

/// Recorded launches of the configurations that are compared, and what they show.
struct RecordedNoise {
  std::vector<std::size_t> rows; ///< of the table; names the random streams
  std::vector<Launches> launches;
};

/// Launches made up for each configuration of `recorded`: as many, with its median as true time.
[[nodiscard]] std::vector<Launches> make_up(const RecordedNoise& recorded,
                                            const MeasurementNoise& noise,
                                            ClockState clock,
                                            std::uint64_t seed);

/// Compares them with `recorded`, both through jitter_of().
[[nodiscard]] NoiseAgreement agreement(const RecordedNoise& recorded,
                                       const MeasurementNoise& noise,
                                       ClockState clock,
                                       std::uint64_t seed);

} // namespace coulomb::calibration
