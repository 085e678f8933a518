// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/strategy/fence.hpp"
#include "search/strategy/ledger.hpp"

#include <vector>

namespace coulomb::search {

/// First-improvement local search with random restarts: looks at the present point's unseen
/// neighbours in random order, moves to any that is better, and starts again at a random unseen
/// point when none is left.
class HillClimb {
public:
  /// `space` must outlive the search.
  HillClimb(const SearchSpace& space, const StrategyStart& start)
      : ledger_(space, start), fence_(space, start.fence) {}

  [[nodiscard]] std::uint64_t needs() const { return ledger_.needs(); }
  [[nodiscard]] std::optional<Proposal> propose();
  void commit(const Individual& evaluated);
  void relearn(std::span<const Individual> history);

private:
  [[nodiscard]] std::optional<Choice> choose();
  void move_to(const Individual& individual);

  Ledger ledger_;
  Fence fence_;
  std::optional<Individual> here_;
  std::vector<Point> ahead_; ///< neighbours of `here_` not looked at yet, in random order
};

} // namespace coulomb::search
