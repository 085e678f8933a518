// SPDX-License-Identifier: Apache-2.0
#include "search/ga/steady_state_ga.hpp"

namespace coulomb::search {

SteadyStateGa::SteadyStateGa(const SearchSpace& space,
                             const GaSettings& settings,
                             std::uint64_t seed,
                             std::uint64_t lookahead,
                             std::optional<Point> first)
    : ledger_(space, lookahead), breeder_(space, settings), seed_(seed), first_(first) {}

std::optional<Proposal> SteadyStateGa::propose() {
  if (ledger_.proposed() == 0 && first_) {
    return ledger_.propose(*first_, "first");
  }
  RandomStream random(seed_, "ga.child", ledger_.proposed());
  const auto child = breeder_.breed(ledger_.seen(), random);
  if (!child) {
    return std::nullopt;
  }
  return ledger_.propose(child->point, child->origin);
}

void SteadyStateGa::commit(const Individual& evaluated) {
  ledger_.commit(evaluated);
  breeder_.commit(evaluated);
}

} // namespace coulomb::search
