// SPDX-License-Identifier: Apache-2.0
#include "calibration/noise/noise_parameters.hpp"

namespace coulomb::calibration {

const std::array<NoiseField, 12>& noise_fields() {
  using P = NoiseParameters;
  static constexpr std::array<NoiseField, 12> kFields{{
      {"first_excess_ms", "ms", &P::first_excess_ms, -1e4, 1e4,
       "median over configurations of run 1 less the median of the later runs"},
      {"first_spread_ms", "ms", &P::first_spread_ms, 0.0, 1e4,
       "standard deviation of the same from its p5 and p95, less that of the last run"},
      {"excess_carry", "", &P::excess_carry, 0.0, 0.99,
       "median excess of run 2 over that of run 1"},
      {"core_ms", "ms", &P::core_ms, 0.0, 1e3, "minimum distance, simulated to recorded jitter"},
      {"core_relative", "", &P::core_relative, 0.0, 1.0,
       "minimum distance, simulated to recorded jitter"},
      {"core_spread", "", &P::core_spread, 0.0, 3.0,
       "minimum distance, simulated to recorded jitter"},
      {"skew", "", &P::skew, -2.0, 2.0, "minimum distance, simulated to recorded jitter"},
      {"autocorrelation", "", &P::autocorrelation, -0.99, 0.99,
       "minimum distance, simulated to recorded jitter"},
      {"step_probability", "", &P::step_probability, 0.0, 1.0,
       "share of configurations with a step above 2 % after run 1"},
      {"clock_probability", "", &P::clock_probability, 0.0, 1.0,
       "share that the table's filter on clock_state refuses and that shows no step: an upper "
       "bound"},
      {"clock_factor", "", &P::clock_factor, 0.1, 10.0, "the largest steps (19 of 20 are smaller)"},
      {"quantum_ms", "ms", &P::quantum_ms, 0.0, 1.0,
       "the coarsest step that 99 % of all times are a multiple of"},
  }};
  return kFields;
}

} // namespace coulomb::calibration
