// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

struct ValidatePowerOptions {
  std::string table;                  ///< of power points
  std::vector<std::string> overrides; ///< KEY=VALUE, of every GPU
  std::string out;                    ///< file for the JSON report; empty: none
  bool json = false;
};

/// `coulomb validate --power`: each point of the table against the power model, kernels simulated.
int validate_power(const ValidatePowerOptions& options);

} // namespace coulomb::cli
