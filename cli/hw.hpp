// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb hw doctor|measure|metrics ...`: what can be measured on this machine, and measuring it.
/// `args` are the words after `hw`. Returns the exit code; throws Error for wrong input and a wrong
/// environment.
int run_hw(const std::vector<std::string>& args);

} // namespace coulomb::cli
