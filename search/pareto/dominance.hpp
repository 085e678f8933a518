// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace coulomb::search {

/// Values of one candidate's objectives, smaller is better, all finite.
using Objectives = std::vector<double>;

/// True if `a` is nowhere worse than `b` and somewhere better.
[[nodiscard]] bool dominates(std::span<const double> a, std::span<const double> b);

/// For each point the number of the front that it is on: 0 if nothing dominates it, 1 if only
/// points of front 0 do, and so on. Equal points are on the same front. O(n log n) for two
/// objectives. Method: efficient non-dominated sort, Zhang et al., IEEE TEC 19(2), 2015.
[[nodiscard]] std::vector<std::size_t> front_numbers(std::span<const Objectives> points);

/// Positions of the points that nothing dominates, by their values, of equal points the first only.
[[nodiscard]] std::vector<std::size_t> pareto_front(std::span<const Objectives> points);

/// How alone each point is among the others of a front (NSGA-II's crowding distance, Deb et al.
/// 2002): infinite at the ends of each objective. Objectives that do not vary count nothing.
[[nodiscard]] std::vector<double> crowding_distances(std::span<const Objectives> front);

} // namespace coulomb::search
