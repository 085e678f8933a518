// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::power {

/// A metric that the power model adds to the counters of a run.
struct PowerMetric {
  std::string name;
  std::string_view unit;
  std::string definition;
};
[[nodiscard]] const std::vector<PowerMetric>& power_metrics();

inline constexpr std::string_view kPowerMetric = "model__power.avg";             ///< W
inline constexpr std::string_view kReadingMetric = "model__power_reading.avg";   ///< W
inline constexpr std::string_view kEnergyMetric = "model__energy.sum";           ///< J
inline constexpr std::string_view kTemperatureMetric = "model__temperature.avg"; ///< C
inline constexpr std::string_view kAreaMetric = "model__area.mm2";               ///< mm2
inline constexpr std::string_view kVoltageMetric = "model__voltage.avg";         ///< V

/// Adds power_metrics() to `counters`, those of a whole grid that took `time_ms` at the clock of
/// `gpu` (docs/counters.md).
void add_power_metrics(const config::GpuConfig& gpu,
                       double time_ms,
                       std::map<std::string, double>& counters);

} // namespace coulomb::power
