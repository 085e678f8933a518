// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "search/driver/strategy_catalogue.hpp"
#include "search/ga/genetic_search.hpp"
#include "search/ga/island_search.hpp"
#include "search/surrogate/screened_ga.hpp"
#include "tests/unit/search/synthetic_space.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::search {
namespace {

using ::testing::ElementsAre;

std::vector<std::size_t> targets(const Topology& topology, std::size_t island) {
  const auto [first, last] = boost::adjacent_vertices(island, topology);
  return {first, last};
}

TEST(Topologies, AreWhatTheirNamesSay) {
  EXPECT_THAT(targets(*make_topology("ring", 3), 2), ElementsAre(0));
  EXPECT_THAT(targets(*make_topology("star", 4), 0), ElementsAre(1, 2, 3));
  EXPECT_THAT(targets(*make_topology("star", 4), 3), ElementsAre(0));
  EXPECT_THAT(targets(*make_topology("complete", 3), 1), ElementsAre(0, 2));
  EXPECT_THAT(targets(*make_topology("none", 3), 1), ElementsAre());
  EXPECT_THAT(targets(*make_topology("ring", 1), 0), ElementsAre()) << "nobody migrates to itself";
  EXPECT_THROW((void)make_topology("rign", 2), UserError);
}

/// Runs to `count` evaluations; the value of a proposal is what `value` says.
template <class Search, class Value>
std::vector<Individual> run(Search& search, std::size_t count, Value value) {
  std::vector<Individual> history;
  while (history.size() < count) {
    const Proposal p = search.propose().value();
    history.push_back({p.id, p.point, {eval::EvalStatus::ok, value(p)}});
    search.commit(history.back());
  }
  return history;
}

bool lives_on(const IslandSearch& search, std::size_t island, std::uint64_t id) {
  const auto& population = search.population(island);
  return std::any_of(population.begin(), population.end(),
                     [&](const Individual& i) { return i.id == id; });
}

TEST(Islands, SendTheirBestAlongTheTopologyAtTheirTurn) {
  const SearchSpace space = synthetic_space(5, 6);
  // Candidate 1, of island 1, is by far the best. It leaves with its island's second evaluation.
  const auto value = [](const Proposal& p) { return p.id == 1 ? 0.5 : 2.0 + double(p.id); };
  IslandSearch search(space, {.migration = 2, .ga = {.population = 4, .initial = 4}},
                      {.lookahead = 1}, make_topology("ring", 3));
  (void)run(search, 4, value);
  EXPECT_TRUE(lives_on(search, 1, 1));
  EXPECT_FALSE(lives_on(search, 2, 1));
  (void)run(search, 1, value);
  EXPECT_TRUE(lives_on(search, 2, 1));
  EXPECT_FALSE(lives_on(search, 0, 1)) << "it gets there by way of island 2";
  (void)run(search, 1, value);
  EXPECT_TRUE(lives_on(search, 0, 1));
}

TEST(Islands, StayApartWithoutWays) {
  const SearchSpace space = synthetic_space(5, 6);
  IslandSearch search(space, {.migration = 1}, {.lookahead = 1}, make_topology("none", 2));
  (void)run(search, 60, [](const Proposal& p) { return 1.0 + double(p.point % 97); });
  for (std::size_t island = 0; island < 2; ++island) {
    for (const Individual& individual : search.population(island)) {
      EXPECT_EQ(individual.id % 2, island);
    }
  }
}

TEST(Islands, RelearnWhatTheyWouldHaveLearnt) {
  const SearchSpace space = synthetic_space(5, 6);
  const auto make = [&] {
    return IslandSearch(space, {}, {.lookahead = 1}, make_topology("ring", 3));
  };
  IslandSearch search = make();
  auto history = run(search, 90, [](const Proposal& p) { return 1.0 + double(p.point % 97); });
  for (Individual& individual : history) {
    individual.fitness.value = -individual.fitness.value;
  }
  search.relearn(history);
  const auto worst = std::max_element(history.begin(), history.end(), ranks_before);
  const auto best = std::min_element(history.begin(), history.end(), ranks_before);
  bool found = false;
  for (std::size_t island = 0; island < 3; ++island) {
    found = found || search.population(island).front().id == best->id;
    EXPECT_FALSE(lives_on(search, island, worst->id));
  }
  EXPECT_TRUE(found);
}

TEST(Stagnation, IsFollowedByTheNeighboursOfTheBestAndThenByANewBeginning) {
  const SearchSpace space = synthetic_space(4, 6);
  GeneticSearch search(space, {.population = 6, .initial = 6, .stagnation = 20}, {.lookahead = 1},
                       Replacement::steady_state);
  std::vector<std::string> origins;
  std::vector<Point> points;
  for (std::uint64_t i = 0; i < 120; ++i) {
    const Proposal p = search.propose().value();
    origins.push_back(p.origin);
    points.push_back(p.point);
    search.commit({p.id, p.point, {eval::EvalStatus::ok, i == 0 ? 1.0 : 2.0}});
  }
  const auto refined = std::find(origins.begin(), origins.end(), "refinement");
  ASSERT_NE(refined, origins.end());
  EXPECT_EQ(refined - origins.begin(), 21) << "20 evaluations after the best, the first";
  const auto after =
      std::find_if(refined, origins.end(), [](const std::string& o) { return o != "refinement"; });
  for (const Point neighbour : space.neighbours(points[0])) {
    EXPECT_NE(std::find(points.begin(), points.begin() + (after - origins.begin()), neighbour),
              points.begin() + (after - origins.begin()));
  }
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(after[i], "random") << "a new population";
  }
}

/// Steps along the values, summed over the parameters.
std::size_t steps(const SearchSpace& space, Point a, Point b) {
  std::size_t sum = 0;
  const auto from = space.genes(a);
  const auto to = space.genes(b);
  for (std::size_t d = 0; d < from.size(); ++d) {
    sum += distance(space.dimensions()[d], from[d], to[d]);
  }
  return sum;
}

TEST(Fences, KeepChildrenNearWhatWasEvaluatedAndCanBeOpened) {
  const SearchSpace space = synthetic_space(5, 8);
  for (const char* name :
       {"ga", "ga-plain", "ga-generational", "ga-islands", "nsga2", "hill-climb"}) {
    std::size_t farthest_open = 0;
    for (const auto fence : {std::optional<std::size_t>(2), std::optional<std::size_t>()}) {
      Strategy strategy =
          find_strategy(name).make(space, {.seed = 4, .lookahead = 1, .fence = fence});
      std::vector<Individual> history;
      std::size_t committed = 0;
      for (int i = 0; i < 150; ++i) {
        for (; committed < strategy.needs(); ++committed) {
          strategy.commit(history[committed]);
        }
        const Proposal p = strategy.propose().value();
        if (p.origin != "random") {
          std::size_t nearest = 99;
          for (const Individual& parent : history) {
            nearest = std::min(nearest, steps(space, parent.point, p.point));
          }
          if (fence) {
            ASSERT_LE(nearest, 2U) << name << ", " << p.origin;
          }
          farthest_open = std::max(farthest_open, nearest);
        }
        history.push_back({p.id, p.point, synthetic_fitness(space, p.point)});
      }
    }
    EXPECT_GT(farthest_open, 2U) << name;
  }
}

} // namespace
} // namespace coulomb::search
