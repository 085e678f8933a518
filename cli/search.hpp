// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb search SPEC --gpu G ...` runs a genetic search; `coulomb search status|best|export DIR`
/// look at one. Returns 0; 4 if a search reached its end and no configuration ran. Throws Error for
/// wrong input and a wrong environment.
int run_search(const std::vector<std::string>& args);

} // namespace coulomb::cli
