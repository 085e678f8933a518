// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb whatif FILE.toml`: the best designs of a GPU for a set of kernels, and why.
int run_whatif(const std::vector<std::string>& args);

} // namespace coulomb::cli
