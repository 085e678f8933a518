// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb calibrate gap OBSERVATIONS... --out FILE`: fits the gap model and tells how well it
/// predicts what it does not see.
int run_calibrate_gap(const std::vector<std::string>& args);

} // namespace coulomb::cli
