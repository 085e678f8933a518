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
  bool
      several_objectives; ///< it looks for the front of several objectives, the others for one best
  Strategy (*make)(const SearchSpace&, const StrategyStart&);
};

/// All of them, the default first.
[[nodiscard]] std::span<const StrategyEntry> strategies();
/// Throws UserError with the nearest name and the list.
[[nodiscard]] const StrategyEntry& find_strategy(const std::string& name);

} // namespace coulomb::search
