// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/html/parallel_chart.hpp"
#include "search/report/measure.hpp"
#include "search/store/search_store.hpp"

#include <cstddef>
#include <string>

namespace coulomb::search {

/// Most lines that the chart draws of the best tenth, and of the rest.
inline constexpr std::size_t kMostLines = 150;

/// An axis for each parameter that was varied and one for the objective. The best configuration,
/// the best tenth of those that ran and the rest differ in weight; of many, evenly spaced ones.
struct CoordinatesChart {
  html::ParallelChart chart;
  std::size_t tenth = 0; ///< configurations in the best tenth, the best included
  std::size_t rest = 0;
};
/// Needs two different configurations that ran.
[[nodiscard]] CoordinatesChart coordinates_chart(const SearchRecords& records,
                                                 const Measure& measure);
/// The chart and how to read it, or why there is none.
[[nodiscard]] std::string coordinates_section(const SearchRecords& records, const Measure& measure);

} // namespace coulomb::search
