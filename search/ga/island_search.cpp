// SPDX-License-Identifier: Apache-2.0
#include "search/ga/island_search.hpp"

#include <boost/range/iterator_range.hpp>

namespace coulomb::search {

IslandSearch::IslandSearch(const SearchSpace& space,
                           const IslandSettings& settings,
                           const StrategyStart& start,
                           std::shared_ptr<const Topology> topology)
    : ledger_(space, start), settings_(settings), topology_(std::move(topology)),
      islands_(boost::num_vertices(*topology_), Breeder(space, settings.ga)) {}

std::optional<Proposal> IslandSearch::propose() {
  return ledger_.propose([&] {
    RandomStream random = ledger_.random("ga.child");
    return islands_[ledger_.proposed() % islands_.size()].breed(ledger_.seen(), random);
  });
}

void IslandSearch::take(const Individual& individual) {
  const std::size_t island = individual.id % islands_.size();
  islands_[island].commit(individual);
  if ((individual.id / islands_.size() + 1) % settings_.migration != 0) {
    return;
  }
  const Individual emigrant = islands_[island].population().front();
  for (const auto target :
       boost::make_iterator_range(boost::adjacent_vertices(island, *topology_))) {
    islands_[target].commit(emigrant);
  }
}

void IslandSearch::commit(const Individual& evaluated) {
  ledger_.commit(evaluated);
  take(evaluated);
}

void IslandSearch::relearn(std::span<const Individual> history) {
  for (Breeder& island : islands_) {
    island.restart();
  }
  for (const Individual& individual : history) {
    take(individual);
  }
}

} // namespace coulomb::search
