// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/strategy/ledger.hpp"

namespace coulomb::search {

/// Every valid configuration, in the space's order.
class Exhaustive {
public:
  Exhaustive(const SearchSpace& space, std::uint64_t lookahead) : ledger_(space, lookahead) {}

  [[nodiscard]] std::uint64_t needs() const { return ledger_.needs(); }
  [[nodiscard]] std::optional<Proposal> propose() {
    return ledger_.exhausted() ? std::nullopt
                               : std::optional(ledger_.propose(ledger_.proposed(), "exhaustive"));
  }
  void commit(const Individual& evaluated) { ledger_.commit(evaluated); }

private:
  Ledger ledger_;
};

} // namespace coulomb::search
