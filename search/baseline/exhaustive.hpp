// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/strategy/ledger.hpp"

namespace coulomb::search {

/// Every valid configuration, in the space's order; the one it was told to begin with comes first.
class Exhaustive {
public:
  Exhaustive(const SearchSpace& space, const StrategyStart& start) : ledger_(space, start) {}

  [[nodiscard]] std::uint64_t needs() const { return ledger_.needs(); }
  [[nodiscard]] std::optional<Proposal> propose() {
    return ledger_.propose([&]() -> std::optional<Choice> {
      while (next_ < ledger_.space().size() && ledger_.seen().contains(next_)) {
        ++next_;
      }
      return next_ < ledger_.space().size() ? std::optional(Choice{next_, "exhaustive"})
                                            : std::nullopt;
    });
  }
  void commit(const Individual& evaluated) { ledger_.commit(evaluated); }
  void relearn(std::span<const Individual> /*history*/) {}

private:
  Ledger ledger_;
  Point next_ = 0;
};

} // namespace coulomb::search
