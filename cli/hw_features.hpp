// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb hw features FILE [-o FILE.csv|FILE.h5]`: the features (docs/features.md) of every
/// measured configuration of a file, as CSV or HDF5. Returns 0; throws Error for a file that is
/// none, a kernel that is not there, a board without a GPU file, and another ending of the name.
int run_hw_features(const std::vector<std::string>& args);

} // namespace coulomb::cli
