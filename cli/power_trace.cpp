// SPDX-License-Identifier: Apache-2.0
#include "cli/power_trace.hpp"

#include "base/text.hpp"
#include "cli/run_power.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace coulomb::cli {

std::string write_power_trace(const RunOptions& options, const eval::SimOutcome& sim) {
  const config::GpuConfig& gpu = options.gpu.config;
  const auto run = run_power(sim, gpu);
  if (options.power_trace.empty() || !run) {
    return {};
  }
  const auto activity = power::activity_of(sim.counters, sim.time_ms, gpu.sm_clock_mhz);
  const auto trace = power::control_trace(gpu, activity, run->retiming, gpu.sm_clock_mhz,
                                          gpu.power.limit.board_w, options.power_seconds);
  std::string csv = "seconds,sm_clock_mhz,power_w,reading_w,temperature_c\n";
  double hottest = 0.0;
  for (const power::ControlStep& step : trace) {
    csv += fmt::format("{:.3f},{:.0f},{:.2f},{:.2f},{:.2f}\n", step.seconds, step.sm_clock_mhz,
                       step.power_w, step.reading_w, step.temperature_c);
    hottest = std::max(hottest, step.temperature_c);
  }
  write_file_atomically(options.power_trace, csv);
  return fmt::format("power      {} in {}: after {:g} s {:.0f} MHz, {:.0f} W, at most {:.0f} C\n",
                     "controller's trace", options.power_trace, options.power_seconds,
                     trace.back().sm_clock_mhz, trace.back().power_w, hottest);
}

} // namespace coulomb::cli
