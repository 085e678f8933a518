// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace coulomb::calibration {

/// How far repeated timings of one configuration on one board scatter, and how. Twelve numbers; see
/// docs/calibration.md for the model and where each shows in a table of recorded launches. All are
/// 0 for a board that always tells the same time.
struct NoiseParameters {
  double first_excess_ms = 0.0;   ///< that the first launch takes more than the later ones, median
  double first_spread_ms = 0.0;   ///< its standard deviation between configurations
  double excess_carry = 0.0;      ///< share of a launch's excess that the next one still carries
  double core_ms = 0.0;           ///< scale of the jitter, the part that any kernel has
  double core_relative = 0.0;     ///< the part that grows with the kernel's time, a fraction of it
  double core_spread = 0.0;       ///< standard deviation of ln(scale) between configurations
  double skew = 0.0;              ///< above 0: long to the right
  double autocorrelation = 0.0;   ///< of the jitter of successive launches, before the skew
  double step_probability = 0.0;  ///< the clock changes once during a configuration's launches
  double clock_probability = 0.0; ///< another clock than the stated one all through a configuration
  double clock_factor = 1.0;      ///< time in the clock state furthest off over the stated one's
  double quantum_ms = 0.0;        ///< the timer's step; 0: none seen
  bool operator==(const NoiseParameters&) const = default;
};

/// One of them as files and reports name it.
struct NoiseField {
  std::string_view key;
  std::string_view unit; ///< "" for fractions and plain numbers
  double NoiseParameters::*member;
  double min;
  double max;
  std::string_view how; ///< how it is found from recorded launches
};

/// Every member, in the order of the struct.
[[nodiscard]] const std::array<NoiseField, 12>& noise_fields();

} // namespace coulomb::calibration
