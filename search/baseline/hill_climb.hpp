// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/strategy/ledger.hpp"

#include <vector>

namespace coulomb::search {

/// First-improvement local search with random restarts: looks at the present point's unseen
/// neighbours in random order, moves to any that is better, and starts again at a random unseen
/// point when none is left.
class HillClimb {
public:
  /// `first`, if any, is where it starts. `space` must outlive the search.
  HillClimb(const SearchSpace& space,
            std::uint64_t seed,
            std::uint64_t lookahead,
            std::optional<Point> first = std::nullopt);

  [[nodiscard]] std::uint64_t needs() const { return ledger_.needs(); }
  [[nodiscard]] std::optional<Proposal> propose();
  void commit(const Individual& evaluated);

private:
  void move_to(const Individual& individual);

  Ledger ledger_;
  std::uint64_t seed_;
  std::optional<Point> first_;
  std::optional<Individual> here_;
  std::vector<Point> ahead_; ///< neighbours of `here_` not looked at yet, in random order
};

} // namespace coulomb::search
