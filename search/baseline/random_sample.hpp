// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/strategy/ledger.hpp"

namespace coulomb::search {

/// Uniform random sampling without replacement: what every other strategy must beat.
class RandomSample {
public:
  RandomSample(const SearchSpace& space, std::uint64_t seed, std::uint64_t lookahead)
      : ledger_(space, lookahead), seed_(seed) {}

  [[nodiscard]] std::uint64_t needs() const { return ledger_.needs(); }
  [[nodiscard]] std::optional<Proposal> propose() {
    RandomStream random(seed_, "random.draw", ledger_.proposed());
    const auto point = ledger_.seen().draw_unseen(random);
    return point ? std::optional(ledger_.propose(*point, "random")) : std::nullopt;
  }
  void commit(const Individual& evaluated) { ledger_.commit(evaluated); }

private:
  Ledger ledger_;
  std::uint64_t seed_;
};

} // namespace coulomb::search
