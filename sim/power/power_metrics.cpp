// SPDX-License-Identifier: Apache-2.0
#include "sim/power/power_metrics.hpp"

#include "sim/power/area.hpp"
#include "sim/power/power_model.hpp"

#include <fmt/format.h>

namespace coulomb::power {
namespace {

std::string component_metric(Component component) {
  return fmt::format("model__power_{}.avg", component_name(component));
}

std::vector<PowerMetric> make_metrics() {
  std::vector<PowerMetric> metrics = {
      {std::string(kPowerMetric), "W",
       "power of the board while the kernel runs again and again, in the steady state"},
      {std::string(kReadingMetric), "W", "what the board's own sensor says of that"},
      {std::string(kEnergyMetric), "J", "energy of one launch"},
      {std::string(kTemperatureMetric), "C", "mean temperature of the die in that steady state"},
      {std::string(kVoltageMetric), "V", "of the cores at the SM clock"},
      {std::string(kAreaMetric), "mm2", "area of the die, enabled units or not"},
  };
  for (std::size_t c = 0; c < kComponents; ++c) {
    const auto component = static_cast<Component>(c);
    metrics.push_back({component_metric(component), "W",
                       fmt::format("of the power: {}", component_name(component))});
  }
  return metrics;
}

} // namespace

const std::vector<PowerMetric>& power_metrics() {
  static const std::vector<PowerMetric> kMetrics = make_metrics();
  return kMetrics;
}

void add_power_metrics(const config::GpuConfig& gpu,
                       double time_ms,
                       std::map<std::string, double>& counters) {
  const PowerEstimate estimate =
      estimate_power(gpu, activity_of(counters, time_ms, gpu.sm_clock_mhz), default_point(gpu));
  counters[std::string(kPowerMetric)] = estimate.total_w;
  counters[std::string(kReadingMetric)] = estimate.reading_w;
  counters[std::string(kEnergyMetric)] = estimate.energy_j;
  counters[std::string(kTemperatureMetric)] = estimate.temperature_c;
  counters[std::string(kVoltageMetric)] = estimate.voltage_v;
  counters[std::string(kAreaMetric)] = estimate_area(gpu).total_mm2;
  for (std::size_t c = 0; c < kComponents; ++c) {
    counters[component_metric(static_cast<Component>(c))] = estimate.watts[c];
  }
}

} // namespace coulomb::power
