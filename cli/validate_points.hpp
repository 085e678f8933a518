// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

struct ValidatePointsOptions {
  std::string table; ///< path of published points
  unsigned jobs = 1; ///< probes that run at a time
  bool json = false;
  std::string out;                    ///< if not empty: the JSON report is also written there
  std::vector<std::string> overrides; ///< KEY=VALUE: changes every GPU
  std::string command;                ///< that reproduces it
};

/// `coulomb validate --points FILE`: measures published micro-benchmark figures on the simulated
/// GPUs, each with a probe of kernels/probes. Returns 0; throws Error for wrong input and a wrong
/// environment. Failed points are a report, not an error.
int validate_points(const ValidatePointsOptions& options);

} // namespace coulomb::cli
