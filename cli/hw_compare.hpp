// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb hw compare FILE`: simulates each measured configuration that has counters, and compares
/// counter by counter in causal order. Returns 0; throws Error for a file without counters or a
/// board that cannot be simulated.
int run_hw_compare(const std::vector<std::string>& args);

} // namespace coulomb::cli
