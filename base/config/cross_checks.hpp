// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"

#include <string>
#include <vector>

namespace coulomb::config {

/// A relation between parameters that does not hold.
struct CrossProblem {
  std::string key;                 ///< the parameter to look at first
  std::string text;                ///< what was found and what is allowed
  std::vector<std::string> others; ///< the other parameters of the relation
  bool operator==(const CrossProblem&) const = default;
};

/// Checks the relations between parameters that single ranges cannot express; empty = all hold.
[[nodiscard]] std::vector<CrossProblem> cross_checks(const GpuConfig& config);

} // namespace coulomb::config
