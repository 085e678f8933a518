// SPDX-License-Identifier: Apache-2.0
#include "calibration/noise/measurement_noise.hpp"

#include <algorithm>
#include <cmath>

namespace coulomb::calibration {
namespace {

/// Least time that can be reported without a timer's step: 1 ns, the unit of recorded tables.
constexpr double kLeastMs = 1e-6;

/// Tukey's g-distribution as a function of a standard normal.
double skewed(double z, double skew) {
  return skew == 0.0 ? z : std::expm1(skew * z) / skew;
}

double to_timer_step(double ms, double quantum_ms) {
  if (quantum_ms == 0.0) {
    return std::max(ms, kLeastMs);
  }
  return std::max(std::round(ms / quantum_ms), 1.0) * quantum_ms;
}

} // namespace

std::vector<double> MeasurementNoise::samples(double true_ms,
                                              std::size_t n,
                                              RandomStream& random,
                                              ClockState state) const {
  const NoiseParameters& p = parameters_;
  // All draws of the configuration come first and always, so that one parameter does not move the
  // numbers that another sees.
  const bool other_clock = random.chance(p.clock_probability);
  const double clock_depth = random.uniform();
  const bool steps = random.chance(p.step_probability);
  const double step_depth = random.uniform();
  const double step_place = random.uniform();
  double excess = p.first_excess_ms + p.first_spread_ms * random.normal();
  const double scale =
      std::hypot(p.core_ms, p.core_relative * true_ms) * std::exp(p.core_spread * random.normal());
  double clock = 1.0;
  std::size_t step_at = n;
  if (state == ClockState::free) {
    clock = other_clock ? std::pow(p.clock_factor, clock_depth) : 1.0;
    // A step lies between two launches, so n of them have n - 1 places.
    step_at = steps && n > 1 ? 1 + static_cast<std::size_t>(step_place * double(n - 1)) : n;
  }
  const double innovation = std::sqrt(1.0 - p.autocorrelation * p.autocorrelation);
  double z = random.normal();
  std::vector<double> times;
  times.reserve(n);
  for (std::size_t j = 0; j < n; ++j) {
    clock *= j == step_at ? std::pow(p.clock_factor, step_depth) : 1.0;
    const double ms = true_ms * clock + excess + scale * skewed(z, p.skew);
    times.push_back(to_timer_step(ms, p.quantum_ms));
    excess *= p.excess_carry;
    z = p.autocorrelation * z + innovation * random.normal();
  }
  return times;
}

} // namespace coulomb::calibration
