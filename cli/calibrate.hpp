// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb calibrate SUBCOMMAND ...`: what the simulator gets wrong, learnt from silicon.
int run_calibrate(const std::vector<std::string>& args);

} // namespace coulomb::cli
