// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb calibrate noise TABLE`: fits the measurement noise of a board to the single launches of
/// a table and tests it on the half that it did not see. Returns the exit code.
int run_calibrate_noise(const std::vector<std::string>& args);

} // namespace coulomb::cli
