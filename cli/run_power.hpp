// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "base/eval/simulation.hpp"
#include "sim/power/dvfs.hpp"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace coulomb::cli {

/// Power, heat and energy of a timed run, and what the board's controller would make of it.
struct RunPower {
  power::PowerEstimate at_clock; ///< at the clock that was simulated
  power::Retiming retiming;
  power::ClockChoice settled; ///< under the board's power and temperature limits
  [[nodiscard]] bool throttled() const;
};
/// Nothing if the kernel has no time.
[[nodiscard]] std::optional<RunPower> run_power(const eval::SimOutcome& outcome,
                                                const config::GpuConfig& gpu);

/// Lines of the report of `run`.
[[nodiscard]] std::string run_power_text(const RunPower& run, const config::GpuConfig& gpu);
/// {power_w, reading_w, energy_mj, temperature_c, voltage_v, busy_sm_w, components, settled}; null
/// without a time.
[[nodiscard]] nlohmann::ordered_json run_power_json(const std::optional<RunPower>& run);

} // namespace coulomb::cli
