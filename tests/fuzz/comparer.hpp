// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz_types.hpp"

#include <string>
#include <vector>

namespace coulomb::fuzz {

/// What one side computed: one output per thread of the grid, and the accumulators.
struct Result {
  std::vector<FzOutput> threads;
  FzAccumulators accumulators{};
};

/// The words that differ, bit for bit except that NaN equals NaN; at most `limit` lines such as
/// "thread 3: f0 = 0x3f800001 (1.0000001), expected 0x3f800000 (1)". Empty: equal.
[[nodiscard]] std::vector<std::string>
compare(const Result& found, const Result& expected, std::size_t limit = 4);

} // namespace coulomb::fuzz
