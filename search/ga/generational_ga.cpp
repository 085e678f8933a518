// SPDX-License-Identifier: Apache-2.0
#include "search/ga/generational_ga.hpp"

namespace coulomb::search {

GenerationalGa::GenerationalGa(const SearchSpace& space,
                               const GaSettings& settings,
                               std::uint64_t seed,
                               std::uint64_t brood,
                               std::optional<Point> first)
    : ledger_(space, brood), breeder_(space, settings), seed_(seed), brood_(brood), first_(first) {}

std::uint64_t GenerationalGa::needs() const {
  return ledger_.proposed() / brood_ * brood_;
}

std::optional<Proposal> GenerationalGa::propose() {
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

void GenerationalGa::commit(const Individual& evaluated) {
  ledger_.commit(evaluated);
  generation_.push_back(evaluated);
  if (ledger_.committed() % brood_ == 0) {
    for (const Individual& individual : generation_) {
      breeder_.commit(individual);
    }
    generation_.clear();
  }
}

} // namespace coulomb::search
