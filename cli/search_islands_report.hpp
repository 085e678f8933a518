// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/cluster/search_view.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace coulomb::cli {

/// How each process of a search does, by what its heartbeat says: a table with a line for each, and
/// a sum. Empty if there is one process only and it has no heartbeat.
[[nodiscard]] std::string islands_text(const search::SearchView& view);
/// The same as an array; rates as fractions, times in seconds.
[[nodiscard]] nlohmann::ordered_json islands_json(const search::SearchView& view);

} // namespace coulomb::cli
