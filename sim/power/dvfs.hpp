// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/power/power_model.hpp"

#include <vector>

namespace coulomb::power {

/// How the time of one simulated kernel goes on to other SM clocks. What the cores, L1 and L2 do
/// takes cycles of the SM clock; what DRAM does takes seconds.
struct Retiming {
  double core_s = 0.0;      ///< lower bound of the cores' part, at the simulated clock
  double dram_s = 0.0;      ///< lower bound of DRAM's part, at any clock
  double simulated_s = 0.0; ///< at `clock_mhz`
  double clock_mhz = 0.0;
  /// DRAM is so idle that the cycles are the same at every clock: no need to simulate again.
  bool exact = false;

  [[nodiscard]] double time_s(double sm_clock_mhz) const;
};
/// From the counters of a run. If DRAM is busy for less than kDramIdle of the time, the kernel
/// takes the same cycles at every clock; above kDramBound, DRAM is what it waits for, and the bound
/// of the cores is the busiest pipe or the issue slots; between them, the longer bound rules.
[[nodiscard]] Retiming
retiming_of(const config::GpuConfig& gpu, const Activity& activity, double peak_core_share);
inline constexpr double kDramIdle = 0.01;
inline constexpr double kDramBound = 0.8;

/// The same work at another clock.
[[nodiscard]] Activity at_clock(const Activity& activity, const Retiming& retiming, double mhz);

/// What the board's controller settles at.
struct ClockChoice {
  double sm_clock_mhz = 0.0;
  double time_s = 0.0;
  PowerEstimate power;
  enum class Limit { none, power, temperature } limit = Limit::none; ///< what holds it down
};
/// The highest clock up to `wanted_mhz` at which the sensor's reading stays within `limit_w` and
/// the die within its slowdown temperature; the lowest clock if none. A controller alternates
/// between two of its steps there: the clock is their mean.
[[nodiscard]] ClockChoice settle(const config::GpuConfig& gpu,
                                 const Activity& activity,
                                 const Retiming& retiming,
                                 double wanted_mhz,
                                 double limit_w);

/// One decision of the controller.
struct ControlStep {
  double seconds = 0.0;
  double sm_clock_mhz = 0.0;
  double power_w = 0.0;
  double reading_w = 0.0; ///< averaged over the sensor's window
  double temperature_c = 0.0;
};
/// From a board that is warm from idling at the wanted clock: each control period the clock falls
/// by a step if reading or temperature is above its limit, and rises by one otherwise.
[[nodiscard]] std::vector<ControlStep> control_trace(const config::GpuConfig& gpu,
                                                     const Activity& activity,
                                                     const Retiming& retiming,
                                                     double wanted_mhz,
                                                     double limit_w,
                                                     double seconds);

} // namespace coulomb::power
