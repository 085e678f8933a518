// SPDX-License-Identifier: Apache-2.0
#include "search/ga/genetic_search.hpp"

namespace coulomb::search {

GeneticSearch::GeneticSearch(const SearchSpace& space,
                             const GaSettings& settings,
                             const StrategyStart& start,
                             Replacement replacement,
                             Arrange arrange)
    : ledger_(space, start), settings_(settings), breeder_(space, settings, arrange),
      generation_size_(replacement == Replacement::generational ? start.lookahead : 1) {}

std::uint64_t GeneticSearch::needs() const {
  return generation_size_ == 1 ? ledger_.needs()
                               : ledger_.proposed() / generation_size_ * generation_size_;
}

std::optional<Proposal> GeneticSearch::propose() {
  return ledger_.propose([&] { return choose(); });
}

std::optional<Choice> GeneticSearch::choose() {
  RandomStream random = ledger_.random("ga.child");
  if (settings_.stagnation != 0 && since_best_ >= settings_.stagnation) {
    if (const auto near = breeder_.unseen_neighbour(1, ledger_.seen(), random)) {
      return Choice{*near, "refinement"};
    }
    breeder_.restart();
    since_best_ = 0;
  }
  return breeder_.breed(ledger_.seen(), random);
}

void GeneticSearch::take(const Individual& individual) {
  breeder_.commit(individual);
  since_best_ = breeder_.population().front().id == individual.id ? 0 : since_best_ + 1;
}

void GeneticSearch::commit(const Individual& evaluated) {
  ledger_.commit(evaluated);
  generation_.push_back(evaluated);
  if (ledger_.committed() % generation_size_ == 0) {
    for (const Individual& individual : generation_) {
      take(individual);
    }
    generation_.clear();
  }
}

void GeneticSearch::adopt(const Individual& immigrant) {
  ledger_.adopt(immigrant.point);
  breeder_.commit(immigrant);
  if (breeder_.population().front().id == immigrant.id) {
    since_best_ = 0;
  }
}

void GeneticSearch::relearn(std::span<const Individual> history) {
  const std::uint64_t open = ledger_.committed() - generation_.size(); // what has no place yet
  std::vector<Individual> taken;
  generation_.clear();
  for (const Individual& individual : history) {
    const bool waits = !individual.immigrant() && individual.id >= open;
    (waits ? generation_ : taken).push_back(individual);
  }
  breeder_.relearn(taken);
  since_best_ = 0;
}

} // namespace coulomb::search
