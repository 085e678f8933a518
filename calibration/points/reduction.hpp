// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "calibration/points/measurement_plan.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace coulomb::calibration::points {

/// One execution of a probe on one simulated GPU.
struct ProbeRun {
  std::string gpu; ///< key of the plan's gpus
  std::string probe;
  std::map<std::string, std::string> values;
  auto operator<=>(const ProbeRun&) const = default;
};

/// What it found. `problem` is empty if the numbers mean something.
struct ProbeResult {
  std::string problem;
  bool interrupted = false; ///< it was stopped before it had an end; then there is a problem, too
  double cycles = 0.0;
  double time_ns = 0.0;
  double ctas_per_sm = 0.0;
  double launch_overhead_us = 0.0;
  std::vector<double> out; ///< the first argument after the run
};

/// The runs that measurement `name` needs on `gpu`, added to `runs`.
void add_runs(const MeasurementPlan& plan,
              const std::string& name,
              const std::string& gpu,
              std::set<ProbeRun>& runs);

using FindResult = std::function<const ProbeResult&(const ProbeRun&)>;

/// The number: see Measurement. `config` is the configuration of `gpu`. Throws UserError: a run
/// that failed (its problem), an unknown metric or factor, a difference that is not positive where
/// it divides.
[[nodiscard]] double reduce(const MeasurementPlan& plan,
                            const std::string& name,
                            const std::string& gpu,
                            const config::GpuConfig& config,
                            const FindResult& find);

/// A number of the GPU file as text: "8192", "62 / 46".
[[nodiscard]] std::vector<double> configured(const config::GpuConfig& config,
                                             const std::string& key);

} // namespace coulomb::calibration::points
