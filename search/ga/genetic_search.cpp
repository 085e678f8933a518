// SPDX-License-Identifier: Apache-2.0
#include "search/ga/genetic_search.hpp"

namespace coulomb::search {

GeneticSearch::GeneticSearch(const SearchSpace& space,
                             const GaSettings& settings,
                             const StrategyStart& start,
                             Replacement replacement)
    : ledger_(space, start), breeder_(space, settings),
      generation_size_(replacement == Replacement::generational ? start.lookahead : 1) {}

std::uint64_t GeneticSearch::needs() const {
  return generation_size_ == 1 ? ledger_.needs()
                               : ledger_.proposed() / generation_size_ * generation_size_;
}

std::optional<Proposal> GeneticSearch::propose() {
  return ledger_.propose([&] {
    RandomStream random = ledger_.random("ga.child");
    return breeder_.breed(ledger_.seen(), random);
  });
}

void GeneticSearch::commit(const Individual& evaluated) {
  ledger_.commit(evaluated);
  generation_.push_back(evaluated);
  if (ledger_.committed() % generation_size_ == 0) {
    for (const Individual& individual : generation_) {
      breeder_.commit(individual);
    }
    generation_.clear();
  }
}

} // namespace coulomb::search
