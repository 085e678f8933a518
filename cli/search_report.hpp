// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/cluster/search_view.hpp"
#include "search/store/search_store.hpp"
#include "search/store/search_summary.hpp"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace coulomb::cli {

struct LadderOutcome;

/// What the reports need beside the records.
struct SearchReportInput {
  std::string dir;
  double wall_s = 0.0;                             ///< of this session; 0 if there is none
  std::uint64_t fresh = 0;                         ///< evaluations done in this session
  std::optional<double> optimum_ms = std::nullopt; ///< of the recorded table that was searched
  const LadderOutcome* ladder = nullptr;           ///< of a search that silicon followed
  const search::SearchView* view = nullptr;        ///< of a directory that is looked at
};

/// The object that `search --json` prints.
[[nodiscard]] std::string search_json(const search::SearchRecords& records,
                                      const SearchReportInput& input);
/// The same for a reader: best, statuses with their last messages, time spent, what to do next.
[[nodiscard]] std::string search_text(const search::SearchRecords& records,
                                      const SearchReportInput& input);
/// One configuration per line, fastest first: the `top` fastest.
[[nodiscard]] std::string best_text(const search::SearchRecords& records, std::size_t top);
/// The same as a JSON object.
[[nodiscard]] std::string best_json(const search::SearchRecords& records, std::size_t top);

} // namespace coulomb::cli
