// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/strategy/strategy.hpp"

#include <span>
#include <string>
#include <string_view>

namespace coulomb::search {

/// Proposals that may be out at a time unless the user says otherwise: a fixed number, so that a
/// search finds the same with any number of workers.
inline constexpr std::uint64_t kDefaultLookahead = 8;
inline constexpr std::string_view kDefaultStrategy = "ga";

/// What any strategy needs to begin.
struct StrategyStart {
  std::uint64_t seed = 1;
  std::uint64_t lookahead = kDefaultLookahead; ///< a generational one: children of a generation
  std::optional<Point> first;                  ///< proposed first: the default configuration
};

/// A strategy that can be chosen by name.
struct StrategyEntry {
  std::string_view name;
  std::string_view description;
  Strategy (*make)(const SearchSpace&, const StrategyStart&);
};

/// All of them, the default first.
[[nodiscard]] std::span<const StrategyEntry> strategies();
/// Throws UserError with the nearest name and the list.
[[nodiscard]] const StrategyEntry& find_strategy(const std::string& name);

} // namespace coulomb::search
