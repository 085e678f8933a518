// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/silicon_samples.hpp"
#include "base/results/silicon_table.hpp"
#include "calibration/noise/noise_agreement.hpp"

#include <cstdint>
#include <string>

namespace coulomb::calibration {

/// What the rows with launches show of the clock, those included that the table refuses.
struct ClockEvidence {
  std::size_t ran = 0;
  std::size_t stepped = 0;   ///< the clock stepped by more than 2 % after run 1
  std::size_t off_clock = 0; ///< refused for their clock state, and without such a step
  std::vector<double> steps; ///< time after over before, of the stepped ones
};

/// One half of a table.
struct NoiseHalf {
  RecordedNoise recorded; ///< eligible rows
  ClockEvidence clock;    ///< eligible and refused rows
};

/// Recorded launches of one table, sorted for a fit: halves by a hash of row and seed.
struct NoiseData {
  NoiseHalf fitted;
  NoiseHalf held_out;
  ClockState clock =
      ClockState::free; ///< of eligible rows: stated if the table's filter sees to it
};

/// Throws UserError: the table has no single launches, or too few rows of at least kLeastLaunches
/// for two halves (kLeastConfigurations each).
inline constexpr std::size_t kLeastConfigurations = 20;
[[nodiscard]] NoiseData noise_data(const results::SiliconTable& table,
                                   const results::SiliconSamples& samples,
                                   std::uint64_t seed);

struct NoiseFit {
  NoiseParameters parameters;
  NoiseAgreement fitted;
  NoiseAgreement held_out;
};

/// Parameters that bring made-up launches as close as can be to the fitted half: timer, first run
/// and clock from their own statistics, the jitter by minimum distance (Kolmogorov-Smirnov, pooled,
/// by fifths of the kernel time and of the configurations' ranges, and the median autocorrelation),
/// simulated under common random numbers.
[[nodiscard]] NoiseFit fit_noise(const NoiseData& data, std::uint64_t seed);

/// Given parameters against both halves.
[[nodiscard]] NoiseFit
judge_noise(const NoiseData& data, const NoiseParameters& parameters, std::uint64_t seed);

} // namespace coulomb::calibration
