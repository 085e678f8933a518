// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/strategy/strategy.hpp"
#include "search/strategy/strategy_start.hpp"

#include <span>
#include <string>
#include <string_view>

namespace coulomb::search {

inline constexpr std::string_view kDefaultStrategy = "ga";
/// The default of a search with several objectives.
inline constexpr std::string_view kDefaultFrontStrategy = "nsga2";

/// A strategy that can be chosen by name.
struct StrategyEntry {
  std::string_view name;
  std::string_view description;
  bool several_objectives; ///< for a front of several objectives, too; the others for one best
  bool children;           ///< most proposals have a parent, which a fence can bind them to
  bool islands;            ///< it has populations that breed apart
  Strategy (*make)(const SearchSpace&, const StrategyStart&);
};

/// All of them, the default first.
[[nodiscard]] std::span<const StrategyEntry> strategies();
/// Throws UserError with the nearest name and the list.
[[nodiscard]] const StrategyEntry& find_strategy(const std::string& name);

} // namespace coulomb::search
