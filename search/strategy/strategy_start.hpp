// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/strategy/seen_points.hpp"

#include <cstdint>
#include <optional>

namespace coulomb::search {

/// Proposals that may be out at a time unless the user says otherwise: a fixed number, so that a
/// search finds the same with any number of workers.
inline constexpr std::uint64_t kDefaultLookahead = 8;

/// What any strategy needs to begin, beside its space.
struct StrategyStart {
  std::uint64_t seed = 1;
  std::uint64_t lookahead = kDefaultLookahead; ///< proposals out at a time, at least 1
  std::optional<Point> first = std::nullopt;   ///< proposed first: the default configuration
};

} // namespace coulomb::search
