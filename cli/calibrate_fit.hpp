// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb calibrate fit --gpu G --silicon TABLE --parameter KEY ...`: fits numbers of a GPU file
/// to recorded silicon and writes a new GPU file. `args` are the words after `fit`. Returns 0, or
/// 130 if it was interrupted; throws Error for wrong input, what the data cannot identify, and a
/// wrong environment.
int run_calibrate_fit(const std::vector<std::string>& args);

} // namespace coulomb::cli
