// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/html/table.hpp"
#include "search/report/measure.hpp"
#include "search/report/time_unit.hpp"
#include "search/store/search_store.hpp"

#include <string>
#include <string_view>

namespace coulomb::search {

/// Reads a stall reason's name, such as "long_scoreboard", for people.
using StallWords = std::string (*)(std::string_view reason);

/// The `count` best evaluations, best first: time, the other objectives, every parameter, cycles,
/// IPC, registers, the three stall reasons with the largest shares, and where each came from.
[[nodiscard]] html::Table best_table(const SearchRecords& records,
                                     const Ranking& ranking,
                                     TimeUnit unit,
                                     std::size_t count,
                                     StallWords stall_words);
/// Each status that occurred: how often, what it means, the first and the last cause.
[[nodiscard]] html::Table status_table(const SearchRecords& records);
/// What proposed the evaluations: how many, how many ran, and the best of each by the first
/// objective.
[[nodiscard]] html::Table origin_table(const SearchRecords& records, const Measure& measure);

} // namespace coulomb::search
