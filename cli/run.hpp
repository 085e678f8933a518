// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb run SPEC --gpu G ...`: simulates one configuration of one kernel. Returns 4 if its
/// status is not ok, else 1 if a check found something, else 0; throws Error for wrong input and a
/// wrong environment.
int run_run(const std::vector<std::string>& args);

} // namespace coulomb::cli
