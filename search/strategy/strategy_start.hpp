// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/strategy/seen_points.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace coulomb::search {

/// Proposals that may be out at a time unless the user says otherwise: a fixed number, so that a
/// search finds the same with any number of workers.
inline constexpr std::uint64_t kDefaultLookahead = 8;

/// What any strategy needs to begin, beside its space.
struct StrategyStart {
  std::uint64_t seed = 1;
  std::uint64_t lookahead = kDefaultLookahead; ///< proposals out at a time, at least 1
  std::optional<Point> first = std::nullopt;   ///< proposed first: the default configuration
  /// Most steps between a child and its nearest parent; nothing: no bound.
  std::optional<std::size_t> fence = std::nullopt;
  std::size_t islands = 4;       ///< of strategies that have islands, at least 1
  std::string topology = "ring"; ///< of the islands: see make_topology()
};

} // namespace coulomb::search
