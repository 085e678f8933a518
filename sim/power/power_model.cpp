// SPDX-License-Identifier: Apache-2.0
#include "sim/power/power_model.hpp"

#include "sim/power/voltage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace coulomb::power {
namespace {

constexpr double kLeakageReference = 30.0; ///< C

double& at(std::array<double, kComponents>& watts, Component component) {
  return watts[static_cast<std::size_t>(component)];
}

double leakage_factor(const config::StaticPowerConfig& standing, double temperature_c) {
  return std::max(0.0, 1.0 + standing.leakage_per_kelvin * (temperature_c - kLeakageReference));
}

/// Die temperature at which what flows through the resistances is what is dissipated. Only the
/// leakage, linear in T, depends on it; what board and DRAM take does not heat the die.
double steady_temperature(const config::GpuConfig& gpu, double cool_w, double leakage_w) {
  const config::ThermalConfig& thermal = gpu.power.thermal;
  const double resistance =
      thermal.die_kelvin_per_watt + thermal.spreader_kelvin_per_watt + thermal.sink_kelvin_per_watt;
  const double slope = leakage_w * gpu.power.standing.leakage_per_kelvin;
  const double at_zero = cool_w + leakage_w - slope * kLeakageReference;
  const double gain = 1.0 - resistance * slope;
  // No steady state: leakage heats faster than the sink cools. Far above any slowdown.
  return gain <= 0.0 ? std::numeric_limits<double>::infinity()
                     : (thermal.ambient_c + resistance * at_zero) / gain;
}

} // namespace

OperatingPoint default_point(const config::GpuConfig& gpu) {
  return {gpu.sm_clock_mhz, 0.0, std::numeric_limits<double>::quiet_NaN()};
}

double sensor_reading(const config::PowerSensorConfig& sensor, double watts) {
  return sensor.gain * watts + sensor.offset_w;
}

PowerEstimate estimate_power(const config::GpuConfig& gpu,
                             const Activity& activity,
                             const OperatingPoint& point) {
  const config::StaticPowerConfig& standing = gpu.power.standing;
  const double v = point.relative_voltage > 0.0
                       ? point.relative_voltage
                       : relative_voltage(gpu.power.voltage, point.sm_clock_mhz);
  PowerEstimate result;
  at(result.watts, Component::board) = standing.board_w;
  at(result.watts, Component::dram_background) = standing.dram_background_w;
  at(result.watts, Component::clock_tree) =
      standing.clock_tree_w_per_ghz * point.sm_clock_mhz / 1000.0 * v * v;
  double core_w = at(result.watts, Component::clock_tree);
  if (activity.time_s > 0.0) {
    const EventEnergy energy = event_energy(gpu.power.energy, activity);
    for (std::size_t c = 0; c < kComponents; ++c) {
      const double watts = v * v * energy.core_j[c] / activity.time_s;
      result.watts[c] += watts;
      core_w += watts;
    }
    at(result.watts, Component::dram_access) = energy.dram_j / activity.time_s;
  }
  const double leakage_w = standing.leakage_w * v * v;
  result.temperature_c = std::isnan(point.temperature_c)
                             ? steady_temperature(gpu, core_w, leakage_w)
                             : point.temperature_c;
  at(result.watts, Component::leakage) = leakage_w * leakage_factor(standing, result.temperature_c);
  result.total_w = std::accumulate(result.watts.begin(), result.watts.end(), 0.0);
  result.voltage_v = v * gpu.power.voltage.minimum_v;
  result.reading_w = sensor_reading(gpu.power.sensor, result.total_w);
  result.energy_j = result.total_w * activity.time_s;
  const double busy_share =
      activity.time_s > 0.0
          ? activity.active_sm_cycles() / (activity.time_s * point.sm_clock_mhz * 1e6 * gpu.sms)
          : 0.0;
  if (busy_share > 0.0) {
    constexpr std::array kOfSm = {Component::sm_active,      Component::instruction_issue,
                                  Component::register_file,  Component::integer,
                                  Component::floating_point, Component::tensor,
                                  Component::l1_shared};
    double dynamic_w = 0.0;
    for (const Component c : kOfSm) {
      dynamic_w += at(result.watts, c);
    }
    result.busy_sm_w = (dynamic_w / busy_share + at(result.watts, Component::clock_tree) +
                        standing.leakage_sm_share * at(result.watts, Component::leakage)) /
                       gpu.sms;
  }
  return result;
}

PowerEstimate sleep_power(const config::GpuConfig& gpu) {
  config::GpuConfig asleep = gpu;
  config::StaticPowerConfig& standing = asleep.power.standing;
  if (standing.dram_sleep_w < standing.dram_background_w) {
    standing.dram_background_w = standing.dram_sleep_w;
    standing.leakage_w *= standing.gated_leakage;
  }
  OperatingPoint point = default_point(gpu);
  point.sm_clock_mhz = gpu.power.limit.lowest_clock_mhz;
  return idle_power(asleep, point);
}

PowerEstimate idle_power(const config::GpuConfig& gpu, const OperatingPoint& point) {
  return estimate_power(gpu, {}, point);
}

} // namespace coulomb::power
