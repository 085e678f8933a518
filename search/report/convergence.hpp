// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/html/scatter_chart.hpp"
#include "search/report/measure.hpp"
#include "search/store/search_store.hpp"

#include <string>
#include <vector>

namespace coulomb::search {

/// Most dots that a chart of a search draws.
inline constexpr std::size_t kMostDots = 3000;

/// Positions of the evaluations of status ok that were better than all before them.
[[nodiscard]] std::vector<std::size_t> improvements(const SearchRecords& records,
                                                    const Measure& measure);
/// Every evaluation as a dot, the best so far as a line, failures on a strip for each status.
/// Above kMostDots evaluations that ran it shows every n-th of them: `stride`. Needs one that ran.
struct ConvergenceChart {
  html::ScatterChart chart;
  std::size_t stride = 1;
};
[[nodiscard]] ConvergenceChart convergence_chart(const SearchRecords& records,
                                                 const Measure& measure);
/// The chart and how to read it, or why there is none.
[[nodiscard]] std::string convergence_section(const SearchRecords& records, const Measure& measure);

} // namespace coulomb::search
