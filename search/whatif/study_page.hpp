// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/store/search_store.hpp"
#include "search/whatif/analysis.hpp"

#include <string>

namespace coulomb::search {

/// One self-contained HTML file about a study: the front, each explained design with its limits
/// before and after and its changes, the tornado around the baseline, stalls side by side, area by
/// block, all designs in a table.
[[nodiscard]] std::string
study_page(const Study& study, const SearchRecords& records, const StudyAnalysis& analysis);

} // namespace coulomb::search
