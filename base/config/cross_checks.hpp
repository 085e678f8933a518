// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"

#include <string>
#include <vector>

namespace coulomb::config {

/// A relation between parameters that does not hold. `key` is the parameter to look at first.
struct CrossProblem {
  std::string key;
  std::string text;
  bool operator==(const CrossProblem&) const = default;
};

/// Checks the relations between parameters that single ranges cannot express; empty = all hold.
[[nodiscard]] std::vector<CrossProblem> cross_checks(const GpuConfig& config);

} // namespace coulomb::config
