// SPDX-License-Identifier: Apache-2.0
#include "search/whatif/design.hpp"

#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"
#include "base/eval/character.hpp"
#include "sim/power/area.hpp"
#include "sim/power/dvfs.hpp"
#include "sim/power/power_metrics.hpp"

#include <algorithm>
#include <cmath>

namespace coulomb::search {
namespace {

using eval::EvalStatus;

/// A kernel under the limits of its board.
power::ClockChoice settle_kernel(const eval::SimOutcome& outcome, const config::GpuConfig& gpu) {
  const auto activity = power::activity_of(outcome.counters, outcome.time_ms, gpu.sm_clock_mhz);
  const auto retiming = power::retiming_of(gpu, activity, eval::core_utilization(outcome, gpu));
  return settle(gpu, activity, retiming, gpu.sm_clock_mhz, gpu.power.limit.board_w);
}

bool over_limits(const config::GpuConfig& gpu, const power::ClockChoice& choice) {
  return choice.power.reading_w > gpu.power.limit.board_w ||
         choice.power.temperature_c > gpu.power.thermal.slowdown_c;
}

/// Weighted sums of logarithms, and maxima.
struct Sums {
  double log_time = 0.0;
  double log_cycles = 0.0;
  double log_energy = 0.0;
  double ipc = 0.0;
  double power_w = 0.0;
  double temperature_c = 0.0;
};

void add_kernel(const std::string& name,
                double weight,
                const config::GpuConfig& gpu,
                const Evaluation& kernel,
                const power::ClockChoice& choice,
                Evaluation& design,
                Sums& sums) {
  const double time_ms = 1000.0 * choice.time_s;
  sums.log_time += weight * std::log(time_ms);
  sums.log_cycles += weight * std::log(choice.time_s * choice.sm_clock_mhz * 1e6);
  sums.log_energy += weight * std::log(choice.power.energy_j);
  sums.ipc += weight * kernel.sim.ipc;
  sums.power_w = std::max(sums.power_w, choice.power.total_w);
  sums.temperature_c = std::max(sums.temperature_c, choice.power.temperature_c);
  auto& counters = design.sim.counters;
  counters[kernel_metric(name, "time_ms")] = time_ms;
  counters[kernel_metric(name, "power_w")] = choice.power.total_w;
  counters[kernel_metric(name, "energy_mj")] = 1000.0 * choice.power.energy_j;
  counters[kernel_metric(name, "temperature_c")] = choice.power.temperature_c;
  counters[kernel_metric(name, "sm_clock_mhz")] = choice.sm_clock_mhz;
  for (const eval::Utilization& part : eval::utilizations(kernel.sim, gpu)) {
    counters[kernel_metric(name, "busy." + part.part)] = part.busy;
  }
  for (const auto& [reason, share] : kernel.sim.stalls) {
    design.sim.stalls[reason] += weight * share;
  }
  design.compile_s += kernel.compile_s;
  design.sim_s += kernel.sim_s;
}

} // namespace

config::GpuConfig design_gpu(const config::GpuConfig& baseline,
                             const StudyLimits& limits,
                             const kernel::Configuration& genes) {
  config::GpuConfig gpu = baseline;
  std::vector<std::string> overrides;
  for (const auto& [key, value] : genes.entries()) {
    overrides.push_back(key + "=" + kernel::to_text(value));
  }
  config::apply_overrides(gpu, overrides);
  gpu.power.limit.board_w = limits.power_w.value_or(gpu.power.limit.board_w);
  gpu.power.thermal.slowdown_c = limits.temperature_c.value_or(gpu.power.thermal.slowdown_c);
  return gpu;
}

std::optional<std::string> over_area(const config::GpuConfig& design, const StudyLimits& limits) {
  const double area = power::estimate_area(design).total_mm2;
  if (!limits.area_mm2 || area <= *limits.area_mm2) {
    return std::nullopt;
  }
  return fmt::format("area: {:.1f} mm2 exceeds the limit of {:.1f} mm2 by {:.1f} ({:.1f} %)", area,
                     *limits.area_mm2, area - *limits.area_mm2,
                     100.0 * (area / *limits.area_mm2 - 1.0));
}

std::string kernel_metric(const std::string& kernel, const std::string& name) {
  return kernel + ":" + name;
}

Evaluation combine_kernels(const Study& study,
                           const config::GpuConfig& design,
                           const std::vector<Evaluation>& kernels) {
  Evaluation result;
  result.status = EvalStatus::ok;
  Sums sums;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const std::string& name = study.kernels[k].name;
    const Evaluation& kernel = kernels[k];
    if (kernel.status != EvalStatus::ok) {
      result.status = kernel.status;
      result.message = fmt::format("{}: {}", name, kernel.message);
      return result;
    }
    const power::ClockChoice choice = settle_kernel(kernel.sim, design);
    if (over_limits(design, choice)) {
      result.status = EvalStatus::restricted;
      result.message =
          fmt::format("{}: {:.0f} W and {:.0f} C at the lowest clock, {:.0f} MHz, exceed the "
                      "limits of {:.0f} W "
                      "and {:.0f} C",
                      name, choice.power.reading_w, choice.power.temperature_c, choice.sm_clock_mhz,
                      design.power.limit.board_w, design.power.thermal.slowdown_c);
      return result;
    }
    add_kernel(name, study.kernels[k].weight, design, kernel, choice, result, sums);
  }
  result.sim.status = EvalStatus::ok;
  result.sim.time_ms = std::exp(sums.log_time);
  result.sim.cycles = std::exp(sums.log_cycles);
  result.sim.ipc = sums.ipc;
  auto& counters = result.sim.counters;
  counters[std::string(power::kEnergyMetric)] = std::exp(sums.log_energy);
  counters[std::string(power::kPowerMetric)] = sums.power_w;
  counters[std::string(power::kTemperatureMetric)] = sums.temperature_c;
  counters[std::string(power::kAreaMetric)] = power::estimate_area(design).total_mm2;
  return result;
}

} // namespace coulomb::search
