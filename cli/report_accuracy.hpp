// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb report --accuracy [OBSERVATIONS...] ...`: how well the simulator, alone and calibrated,
/// meets recorded silicon. `args` are the words after `report`. Returns 0; throws UserError for
/// wrong options and files.
int run_report_accuracy(const std::vector<std::string>& args);

} // namespace coulomb::cli
