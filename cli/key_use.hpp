// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::cli {

/// Whether a run used what a GPU parameter describes, as far as counters tell.
struct KeyUse {
  enum class Verdict {
    exercised, ///< a counter of `counters` is above 0, or every run uses it
    unused,    ///< all of them are 0
    unknown,   ///< no counter tells
  };
  Verdict verdict = Verdict::unknown;
  std::vector<std::string_view> counters; ///< those that told; empty if every run uses the key
};

/// `counters` of the run or, for two runs, the larger of both.
[[nodiscard]] KeyUse key_use(std::string_view key, const std::map<std::string, double>& counters);

/// "exercised", "unused", "unknown".
[[nodiscard]] std::string_view to_string(KeyUse::Verdict verdict);

} // namespace coulomb::cli
