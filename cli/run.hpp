// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb run SPEC --gpu G ...`: simulates one configuration of one kernel. Returns 0 if its
/// status is ok and 4 if not; throws Error for wrong input and a wrong environment.
int run_run(const std::vector<std::string>& args);

} // namespace coulomb::cli
