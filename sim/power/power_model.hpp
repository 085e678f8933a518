// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/power/activity.hpp"

#include <array>

namespace coulomb::power {

/// Power while a kernel runs again and again, W.
struct PowerEstimate {
  std::array<double, kComponents> watts{}; ///< by Component
  double total_w = 0.0;
  double temperature_c = 0.0; ///< mean of the die, steady state
  double voltage_v = 0.0;     ///< of the cores
  double reading_w = 0.0;     ///< what the board's sensor says
  double energy_j = 0.0;      ///< of one launch
  /// Of an SM that is busy all the time: its part of the above, uncore, DRAM and board left out.
  double busy_sm_w = 0.0;
};

/// The conditions that a power is asked for.
struct OperatingPoint {
  double sm_clock_mhz = 0.0;
  /// Of the cores over their lowest; 0: what the voltage curve asks for.
  double relative_voltage = 0.0;
  /// Mean of the die; NaN: of the steady state that the power itself leads to.
  double temperature_c = 0.0;
};
/// The clock of `gpu`, its voltage curve, its steady state.
[[nodiscard]] OperatingPoint default_point(const config::GpuConfig& gpu);

/// P = board + DRAM background + E_dram bytes / t                  (not scaled by the voltage)
///   + leakage v^2 (1 + k (T - 30)) + clock tree f v^2 + v^2 sum(E_event n_event) / t
/// with T from the thermal resistances, solved together. The equations are those of docs/power.md.
/// `activity` holds counts and time at the point's clock.
[[nodiscard]] PowerEstimate
estimate_power(const config::GpuConfig& gpu, const Activity& activity, const OperatingPoint& point);

/// Power with a context open and no kernel.
[[nodiscard]] PowerEstimate idle_power(const config::GpuConfig& gpu, const OperatingPoint& point);

/// Power in the idle state P8: lowest clock, DRAM asleep. Where DRAM has no such state (HBM2), that
/// of idle_power() at the lowest clock; elsewhere the cores are gated, too.
[[nodiscard]] PowerEstimate sleep_power(const config::GpuConfig& gpu);

/// The sensor's reading of a power that lasts longer than its window.
[[nodiscard]] double sensor_reading(const config::PowerSensorConfig& sensor, double watts);

} // namespace coulomb::power
