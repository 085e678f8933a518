// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/ga/breeder.hpp"
#include "search/strategy/ledger.hpp"

namespace coulomb::search {

/// A genetic search without generations: each child is bred from the population as the committed
/// evaluations left it.
class SteadyStateGa {
public:
  /// `first`, if any, becomes proposal 0. `space` must outlive the search.
  SteadyStateGa(const SearchSpace& space,
                const GaSettings& settings,
                std::uint64_t seed,
                std::uint64_t lookahead,
                std::optional<Point> first = std::nullopt);

  [[nodiscard]] std::uint64_t needs() const { return ledger_.needs(); }
  [[nodiscard]] std::optional<Proposal> propose();
  void commit(const Individual& evaluated);

  [[nodiscard]] const Breeder& breeder() const { return breeder_; }

private:
  Ledger ledger_;
  Breeder breeder_;
  std::uint64_t seed_;
  std::optional<Point> first_;
};

} // namespace coulomb::search
