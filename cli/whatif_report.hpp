// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/store/search_store.hpp"
#include "search/whatif/analysis.hpp"

#include <string>
#include <vector>

namespace coulomb::cli {

/// What `whatif` prints: baseline, front, reasons, sensitivity. `page`: the report's file.
[[nodiscard]] std::string whatif_text(const search::Study& study,
                                      const search::SearchRecords& records,
                                      const search::StudyAnalysis& analysis,
                                      const std::string& page);
/// The object of `search --json` with "baseline", "designs", "sensitivity" and "interactions".
[[nodiscard]] std::string whatif_json(const search::Study& study,
                                      const search::SearchRecords& records,
                                      const search::StudyAnalysis& analysis,
                                      const std::string& dir);

/// A line for each design of a sweep, against the first that ran.
[[nodiscard]] std::string whatif_axis_text(const search::Study& study,
                                           const std::vector<search::EvaluationRecord>& designs);
[[nodiscard]] std::string whatif_axis_json(const search::Study& study,
                                           const std::vector<search::EvaluationRecord>& designs);

} // namespace coulomb::cli
