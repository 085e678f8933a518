// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/power/power_validation.hpp"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace coulomb::cli {

/// Runs kernels of kernels/power, or of `coulomb kernels`, for the power model: each once for each
/// board and clock; one that takes the same cycles at every clock once for each board.
class KernelRuns {
public:
  /// KEY=VALUE changes of every GPU.
  explicit KernelRuns(std::vector<std::string> overrides) : overrides_(std::move(overrides)) {}

  [[nodiscard]] calibration::power::SimulationAnswer
  operator()(const std::string& gpu, const std::string& spec, double mhz);

private:
  [[nodiscard]] calibration::power::SimulationAnswer
  simulate(const std::string& gpu, const std::string& spec, double mhz) const;

  std::vector<std::string> overrides_;
  std::map<std::tuple<std::string, std::string, double>, calibration::power::SimulationAnswer>
      runs_;
};

} // namespace coulomb::cli
