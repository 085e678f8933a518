// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb hw features FILE`: the features (docs/features.md) of every measured configuration of a
/// file, as CSV. Returns 0; throws Error for a file that is none, a kernel that is not there, and a
/// board without a GPU file.
int run_hw_features(const std::vector<std::string>& args);

} // namespace coulomb::cli
