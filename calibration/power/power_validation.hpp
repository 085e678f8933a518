// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "calibration/power/power_point.hpp"
#include "sim/power/dvfs.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::calibration::power {

/// A kernel as it was simulated on a board.
struct SimulatedKernel {
  coulomb::power::Activity activity;
  coulomb::power::Retiming retiming;
};
/// Runs `spec` at a clock; nothing, with the reason, if that fails.
struct SimulationAnswer {
  std::optional<SimulatedKernel> kernel;
  std::string problem;
};
using SimulateKernel =
    std::function<SimulationAnswer(const std::string& gpu, const std::string& spec, double mhz)>;
using LoadGpu = std::function<config::GpuConfig(const std::string& gpu)>;

/// What the model says of one point.
struct PowerCheck {
  PowerPoint point;
  std::optional<double> predicted = {}; ///< nothing: it could not be had; `note` says why
  bool within = false;                  ///< the point's tolerance
  bool fitted = false; ///< the model's parameters, or this application's, come from it
  std::string note = {};
};

/// Every point, in their order. Of an application only static power is known: one number, its
/// dynamic energy per unit of work, is taken from the lowest clock of its board; that row is
/// `fitted`, the others check it. Throughput under a cap is read off the clocks at which its power
/// meets the cap.
[[nodiscard]] std::vector<PowerCheck> check_power_points(const std::vector<PowerPoint>& points,
                                                         const LoadGpu& load,
                                                         const SimulateKernel& simulate);

/// Table of the checks with a line of shares for each group.
[[nodiscard]] std::string power_report_text(const std::vector<PowerCheck>& checks);
[[nodiscard]] std::string power_report_json(const std::vector<PowerCheck>& checks);

} // namespace coulomb::calibration::power
