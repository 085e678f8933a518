// SPDX-License-Identifier: Apache-2.0
#include "search/ga/arrangement.hpp"

#include "search/pareto/dominance.hpp"

#include <algorithm>
#include <tuple>

namespace coulomb::search {
namespace {

struct Placed {
  Individual individual;
  std::size_t front = 0;
  double crowding = 0.0;
};

/// A search for one best has its value alone.
Objectives objectives_of(const Individual& individual) {
  const Fitness& fitness = individual.fitness;
  return fitness.objectives.empty() ? Objectives{fitness.value} : fitness.objectives;
}

void set_crowding(std::vector<Placed>& placed) {
  std::size_t fronts = 0;
  for (const Placed& p : placed) {
    fronts = std::max(fronts, p.front + 1);
  }
  std::vector<std::vector<Placed*>> members(fronts);
  for (Placed& p : placed) {
    members[p.front].push_back(&p);
  }
  for (const auto& front : members) {
    std::vector<Objectives> values;
    for (const Placed* p : front) {
      values.push_back(objectives_of(p->individual));
    }
    const auto crowding = crowding_distances(values);
    for (std::size_t i = 0; i < front.size(); ++i) {
      front[i]->crowding = crowding[i];
    }
  }
}

} // namespace

void arrange_by_fitness(std::vector<Individual>& population) {
  std::sort(population.begin(), population.end(), ranks_before);
}

void arrange_by_front(std::vector<Individual>& population) {
  arrange_by_fitness(population);
  const auto failed = std::find_if(population.begin(), population.end(), [](const Individual& i) {
    return i.fitness.status != eval::EvalStatus::ok;
  });
  std::vector<Objectives> values;
  for (auto at = population.begin(); at != failed; ++at) {
    values.push_back(objectives_of(*at));
  }
  const auto fronts = front_numbers(values);
  std::vector<Placed> placed;
  for (std::size_t i = 0; i < values.size(); ++i) {
    placed.push_back({population[i], fronts[i], 0.0});
  }
  set_crowding(placed);
  std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    return std::tuple(a.front, -a.crowding, a.individual.id) <
           std::tuple(b.front, -b.crowding, b.individual.id);
  });
  for (std::size_t i = 0; i < placed.size(); ++i) {
    population[i] = placed[i].individual;
  }
}

} // namespace coulomb::search
