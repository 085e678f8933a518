// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/cluster/search_view.hpp"

#include <string>
#include <vector>

namespace coulomb::cli {

/// The `coulomb run` that repeats an evaluation of a search, as a shell reads it.
[[nodiscard]] std::string run_command(const search::SearchRecords& records,
                                      const search::EvaluationRecord& evaluation);
/// Nothing is left to do: its budget or its space is used up, or it is a merge of others.
[[nodiscard]] bool is_complete(const search::SearchRecords& records);
/// The command that continues a search; empty if it is complete.
[[nodiscard]] std::string resume_command(const search::SearchRecords& records);
/// One for each process of a search that neither runs nor has come to its end.
[[nodiscard]] std::vector<std::string> resume_commands(const search::SearchView& view);

} // namespace coulomb::cli
