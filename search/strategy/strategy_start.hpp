// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/strategy/seen_points.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace coulomb::search {

/// Proposals that may be out at a time unless the user says otherwise: a 25th of the budget, 4
/// to 8. It may not depend on the workers, so that a search finds the same with any number of
/// them. Fewer than 4 leave one of two workers idle where evaluations are of unequal length;
/// docs/search.md has what looking further ahead costs.
[[nodiscard]] inline std::uint64_t default_lookahead(std::uint64_t budget) {
  return std::clamp<std::uint64_t>(budget / 25, 4, 8);
}

/// What any strategy needs to begin, beside its space.
struct StrategyStart {
  std::uint64_t seed = 1;
  std::uint64_t lookahead = 8;               ///< proposals out at a time, at least 1
  std::optional<Point> first = std::nullopt; ///< proposed first: the default configuration
  /// Most steps between a child and its nearest parent; nothing: no bound.
  std::optional<std::size_t> fence = std::nullopt;
  std::size_t islands = 4;       ///< of strategies that have islands, at least 1
  std::string topology = "ring"; ///< of the islands: see make_topology()
};

} // namespace coulomb::search
