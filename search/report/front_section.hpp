// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/html/scatter_chart.hpp"
#include "search/report/measure.hpp"

#include <string>
#include <vector>

namespace coulomb::search {

/// Two objectives against each other: every evaluation that ran (every n-th above kMostDots) as a
/// dot, the front of all objectives as rings. `steps`: with a line along the front, which is its
/// edge only where these two are all objectives.
[[nodiscard]] html::ScatterChart front_chart(const SearchRecords& records,
                                             const std::vector<std::size_t>& front,
                                             const Measure& x,
                                             const Measure& y,
                                             bool steps);
/// Hypervolume of the front after each evaluation, as GrowingFront scales it; at most kMostDots
/// points. No series if too few ran.
[[nodiscard]] html::ScatterChart growth_chart(const SearchRecords& records, const Ranking& ranking);
/// Scatter charts of all pairs of objectives, and the front's growth. Needs one that ran and two
/// objectives.
[[nodiscard]] std::string front_section(const SearchRecords& records, const Ranking& ranking);

} // namespace coulomb::search
