// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "calibration/points/reduction.hpp"
#include "search/driver/interruption.hpp"

#include <string>

namespace coulomb::calibration::points {

struct ProbeRunnerOptions {
  std::string scratch; ///< existing directory for the probes' outputs
  double compile_deadline_s = 120.0;
  double sim_deadline_s = 120.0;
  search::Interruption* interruption = nullptr; ///< if given: ends runs early
};

/// What a run found that was stopped, or not begun.
[[nodiscard]] ProbeResult interrupted_probe();

/// Compiles and simulates one run of a probe, in a pair of worker processes of its own: what it
/// returns does not depend on other runs. `index` names its output file. Safe to call from several
/// threads. A kernel that fails is a ProbeResult with a problem; throws EnvironmentError if there
/// is no compiler.
[[nodiscard]] ProbeResult run_probe(const MeasurementPlan& plan,
                                    const ProbeRun& run,
                                    const config::GpuConfig& gpu,
                                    std::size_t index,
                                    const ProbeRunnerOptions& options);

} // namespace coulomb::calibration::points
