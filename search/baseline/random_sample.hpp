// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/strategy/ledger.hpp"

namespace coulomb::search {

/// Uniform random sampling without replacement: what every other strategy must beat.
class RandomSample {
public:
  RandomSample(const SearchSpace& space, const StrategyStart& start) : ledger_(space, start) {}

  [[nodiscard]] std::uint64_t needs() const { return ledger_.needs(); }
  [[nodiscard]] std::optional<Proposal> propose() {
    return ledger_.propose([&] {
      RandomStream random = ledger_.random("random.draw");
      const auto point = ledger_.seen().draw_unseen(random);
      return point ? std::optional(Choice{*point, "random"}) : std::nullopt;
    });
  }
  void commit(const Individual& evaluated) { ledger_.commit(evaluated); }
  void relearn(std::span<const Individual> /*history*/) {}

private:
  Ledger ledger_;
};

} // namespace coulomb::search
