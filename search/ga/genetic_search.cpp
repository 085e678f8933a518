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

void GeneticSearch::relearn(std::span<const Individual> history) {
  const std::size_t taken = history.size() - generation_.size();
  breeder_.relearn(history.first(taken));
  generation_.assign(history.begin() + static_cast<std::ptrdiff_t>(taken), history.end());
  since_best_ = 0;
}

} // namespace coulomb::search
