// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/search_options.hpp"
#include "cli/search_plan.hpp"
#include "search/store/search_store.hpp"

#include <string>

namespace coulomb::cli {

/// Everything between the first and the last worker process of one search without silicon, its
/// heartbeat, and what an island exchanges with others. Returns how it ended: "budget",
/// "exhausted" or "signal".
[[nodiscard]] std::string run_search_session(const SearchOptions& options,
                                             const SearchPlan& plan,
                                             search::SearchStore& store);

} // namespace coulomb::cli
