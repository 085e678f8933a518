// SPDX-License-Identifier: Apache-2.0
#include "sim/power/dvfs.hpp"

#include "sim/power/thermal.hpp"

#include <algorithm>
#include <cmath>

namespace coulomb::power {
namespace {

double counter(const Activity& activity, const char* name) {
  const auto it = activity.counters.find(name);
  return it == activity.counters.end() ? 0.0 : it->second;
}

bool too_much(const config::GpuConfig& gpu, const PowerEstimate& power, double limit_w) {
  return power.reading_w > limit_w || power.temperature_c > gpu.power.thermal.slowdown_c;
}

/// Heat of the SMs alone, and the rest of the die's; board and DRAM have their own sinks.
double uncore_w(const PowerEstimate& power, double sm_w) {
  const auto of = [&](Component c) { return power.watts[static_cast<std::size_t>(c)]; };
  return power.total_w - of(Component::board) - of(Component::dram_background) -
         of(Component::dram_access) - sm_w;
}

} // namespace

double Retiming::time_s(double sm_clock_mhz) const {
  const double ratio = clock_mhz / sm_clock_mhz;
  if (exact) {
    return simulated_s * ratio;
  }
  // The simulated time is one of the two bounds or a little more; that excess is of the cores.
  return std::max(core_s * ratio, dram_s);
}

Retiming
retiming_of(const config::GpuConfig& gpu, const Activity& activity, double peak_core_share) {
  const double bytes =
      counter(activity, "dram__bytes_read.sum") + counter(activity, "dram__bytes_write.sum");
  const double peak = gpu.dram.channels * gpu.dram.channel_gbps * 1e9;
  const double busy = activity.time_s > 0.0 ? bytes / peak / activity.time_s : 0.0;
  Retiming result;
  result.simulated_s = activity.time_s;
  result.clock_mhz = activity.sm_clock_mhz;
  result.exact = busy < kDramIdle;
  const bool dram_bound = busy >= kDramBound;
  result.core_s = dram_bound ? peak_core_share * activity.time_s : activity.time_s;
  result.dram_s = dram_bound ? activity.time_s : busy * activity.time_s;
  return result;
}

Activity at_clock(const Activity& activity, const Retiming& retiming, double mhz) {
  Activity result = activity;
  result.time_s = retiming.time_s(mhz);
  result.sm_clock_mhz = mhz;
  const double cycles = result.time_s * mhz / (activity.time_s * activity.sm_clock_mhz);
  const auto active = result.counters.find("sm__cycles_active.sum");
  if (active != result.counters.end()) {
    active->second *= cycles; // an SM that waits for DRAM waits for more of its cycles
  }
  return result;
}

ClockChoice settle(const config::GpuConfig& gpu,
                   const Activity& activity,
                   const Retiming& retiming,
                   double wanted_mhz,
                   double limit_w) {
  constexpr double kResolution = 0.5; // MHz
  const auto at = [&](double mhz) {
    OperatingPoint point = default_point(gpu);
    point.sm_clock_mhz = mhz;
    const Activity now = at_clock(activity, retiming, mhz);
    return ClockChoice{mhz, now.time_s, estimate_power(gpu, now, point), ClockChoice::Limit::none};
  };
  ClockChoice high = at(wanted_mhz);
  if (!too_much(gpu, high.power, limit_w)) {
    return high;
  }
  const auto limit =
      high.power.reading_w > limit_w ? ClockChoice::Limit::power : ClockChoice::Limit::temperature;
  ClockChoice low = at(std::min(wanted_mhz, gpu.power.limit.lowest_clock_mhz));
  if (!too_much(gpu, low.power, limit_w)) { // power and temperature rise with the clock: bisect
    double above = wanted_mhz;
    while (above - low.sm_clock_mhz > kResolution) {
      const ClockChoice middle = at(0.5 * (above + low.sm_clock_mhz));
      if (too_much(gpu, middle.power, limit_w)) {
        above = middle.sm_clock_mhz;
      } else {
        low = middle;
      }
    }
  }
  low.limit = limit;
  return low;
}

std::vector<ControlStep> control_trace(const config::GpuConfig& gpu,
                                       const Activity& activity,
                                       const Retiming& retiming,
                                       double wanted_mhz,
                                       double limit_w,
                                       double seconds) {
  const config::PowerLimitConfig& limit = gpu.power.limit;
  const ThermalNetwork network(gpu);
  const PowerEstimate idle = idle_power(gpu, {wanted_mhz, 0.0, default_point(gpu).temperature_c});
  const double idle_sm_w = gpu.power.standing.leakage_sm_share *
                           idle.watts[static_cast<std::size_t>(Component::leakage)] / gpu.sms;
  Temperatures heat =
      network.steady(std::vector<double>(gpu.sms, idle_sm_w), uncore_w(idle, idle_sm_w * gpu.sms));
  const double period = limit.control_period_ms / 1000.0;
  const double window = gpu.power.sensor.window_ms / 1000.0;
  double mhz = wanted_mhz;
  double reading = sensor_reading(gpu.power.sensor, 0.0);
  std::vector<ControlStep> trace;
  const auto steps = static_cast<std::size_t>(std::ceil(seconds / period - 1e-9));
  for (std::size_t step = 0; step < steps; ++step) {
    const double now = static_cast<double>(step) * period;
    const double die = network.die_mean(heat);
    const OperatingPoint point{mhz, 0.0, die};
    const PowerEstimate power = estimate_power(gpu, at_clock(activity, retiming, mhz), point);
    const std::vector<double> sm_w(gpu.sms, power.busy_sm_w);
    network.advance(heat, sm_w, uncore_w(power, power.busy_sm_w * gpu.sms), period);
    reading += (power.reading_w - reading) * std::min(1.0, period / window);
    trace.push_back({now, mhz, power.total_w, reading, die});
    const bool high = reading > limit_w || die > gpu.power.thermal.slowdown_c;
    mhz = std::clamp(mhz + (high ? -1.0 : 1.0) * limit.clock_step_mhz,
                     std::min(wanted_mhz, limit.lowest_clock_mhz), wanted_mhz);
  }
  return trace;
}

} // namespace coulomb::power
