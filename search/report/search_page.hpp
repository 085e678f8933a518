// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/report/tables.hpp"
#include "search/store/search_store.hpp"

#include <string>

namespace coulomb::search {

/// Evaluations in the page's table of the best.
inline constexpr std::size_t kBestRows = 50;

/// What a search's page needs beside its records.
struct SearchPageInput {
  std::string dir;
  std::string state;          ///< "running", "killed", "stopped by budget", ...
  std::string best_command;   ///< that repeats the best evaluation, of several objectives the
                              ///< first on the front; empty if none ran
  std::string resume_command; ///< that continues the search; empty if it has come to its end
  std::string generated;      ///< UTC, when the page was made
  StallWords stall_words = nullptr;
};

/// One self-contained HTML file about a search, finished or not. The same for the same input; its
/// size is bounded by the numbers of parameters and of values, not by that of evaluations.
[[nodiscard]] std::string search_page(const SearchRecords& records, const SearchPageInput& input);

} // namespace coulomb::search
