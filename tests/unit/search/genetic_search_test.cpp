// SPDX-License-Identifier: Apache-2.0
#include "search/ga/genetic_search.hpp"

#include "base/error.hpp"
#include "tests/unit/search/synthetic_space.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace coulomb::search {
namespace {

struct Trace {
  std::vector<Proposal> proposals;
  std::vector<Fitness> fitnesses;
  std::vector<std::size_t> generation_sizes;

  [[nodiscard]] Fitness best() const {
    return *std::min_element(fitnesses.begin(), fitnesses.end(), better);
  }
};

Trace search(const SearchSpace& space, std::uint64_t seed, std::uint64_t budget) {
  GeneticSearch genetic(space, settings_for(budget, space.active().size()), seed);
  Trace trace;
  while (trace.proposals.size() < budget) {
    const auto proposals = genetic.propose(budget - trace.proposals.size());
    if (proposals.empty()) {
      break;
    }
    std::vector<Fitness> fitnesses;
    for (const auto& proposal : proposals) {
      fitnesses.push_back(synthetic_fitness(space, proposal.point));
    }
    genetic.commit(fitnesses);
    trace.generation_sizes.push_back(proposals.size());
    trace.proposals.insert(trace.proposals.end(), proposals.begin(), proposals.end());
    trace.fitnesses.insert(trace.fitnesses.end(), fitnesses.begin(), fitnesses.end());
  }
  return trace;
}

/// Evaluations until the space's optimum is met, or `limit`.
std::size_t
evaluations_to_optimum(const SearchSpace& space, std::uint64_t seed, std::uint64_t limit) {
  const Fitness optimum = synthetic_optimum(space);
  const Trace trace = search(space, seed, limit);
  const auto at = std::find(trace.fitnesses.begin(), trace.fitnesses.end(), optimum);
  return static_cast<std::size_t>(at - trace.fitnesses.begin()) + 1;
}

TEST(GeneticSearch, NumbersProposalsAndGenerations) {
  const SearchSpace space = synthetic_space(4, 6, 3);
  const Trace trace = search(space, 1, 100);
  ASSERT_EQ(trace.proposals.size(), 100U);
  for (std::size_t i = 0; i < trace.proposals.size(); ++i) {
    EXPECT_EQ(trace.proposals[i].id, i);
  }
  EXPECT_EQ(trace.proposals.front().generation, 0U);
  EXPECT_EQ(trace.proposals.back().generation, trace.generation_sizes.size() - 1);
}

TEST(GeneticSearch, NeverProposesAKnownPoint) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const SearchSpace space = synthetic_space(3, 5, 3);
    const Trace trace = search(space, seed, space.size());
    std::set<Point> points;
    for (const auto& proposal : trace.proposals) {
      ASSERT_TRUE(points.insert(proposal.point).second) << "seed " << seed;
    }
  }
}

TEST(GeneticSearch, EndsWhenTheSpaceIsExhaustedHavingSeenAllOfIt) {
  for (const std::size_t values : {1U, 2U, 3U}) {
    const SearchSpace space = synthetic_space(3, values);
    const Trace trace = search(space, 1, 1000);
    EXPECT_EQ(trace.proposals.size(), space.size());
  }
}

TEST(GeneticSearch, SpendsExactlyTheBudgetWhateverItIs) {
  const SearchSpace space = synthetic_space(5, 5);
  for (const std::uint64_t budget : {1U, 7U, 8U, 9U, 11U, 12U, 13U, 95U, 96U, 97U}) {
    EXPECT_EQ(search(space, 1, budget).proposals.size(), budget);
  }
}

TEST(GeneticSearch, EvaluatesTheGivenPointFirstAndOnce) {
  const SearchSpace space = synthetic_space(3, 3);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    GeneticSearch genetic(space, settings_for(48, 3), seed, Point{13});
    const auto proposals = genetic.propose(48);
    ASSERT_EQ(proposals.size(), 8U);
    EXPECT_EQ(proposals[0].point, 13U);
    EXPECT_EQ(std::count_if(proposals.begin(), proposals.end(),
                            [](const Proposal& p) { return p.point == 13; }),
              1);
  }
}

TEST(GeneticSearch, RepeatsItselfForTheSameSeedOnly) {
  const SearchSpace space = synthetic_space(5, 5, 3);
  const Trace first = search(space, 1, 150);
  EXPECT_EQ(search(space, 1, 150).proposals, first.proposals);
  EXPECT_NE(search(space, 2, 150).proposals, first.proposals);
}

TEST(GeneticSearch, DoesNotDependOnSearchesRunBefore) {
  const SearchSpace space = synthetic_space(5, 5, 3);
  const Trace alone = search(space, 9, 100);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    (void)search(space, seed, 60);
  }
  EXPECT_EQ(search(space, 9, 100).proposals, alone.proposals);
}

TEST(GeneticSearch, KeepsTheBestIndividualsForEver) {
  const SearchSpace space = synthetic_space(5, 5, 3);
  GaSettings settings = settings_for(120, 5);
  GeneticSearch genetic(space, settings, 1);
  std::vector<Fitness> all;
  for (int generation = 0; generation < 12; ++generation) {
    std::vector<Fitness> fitnesses;
    for (const auto& proposal : genetic.propose(1000)) {
      fitnesses.push_back(synthetic_fitness(space, proposal.point));
    }
    genetic.commit(fitnesses);
    all.insert(all.end(), fitnesses.begin(), fitnesses.end());
    std::stable_sort(all.begin(), all.end(), better);
    ASSERT_LE(genetic.population().size(), settings.population);
    for (std::size_t i = 0; i < settings.elites; ++i) {
      ASSERT_EQ(genetic.population()[i].fitness, all[i]) << "generation " << generation;
    }
  }
  EXPECT_EQ(genetic.generations(), 12U);
}

TEST(GeneticSearch, CarriesOnWhenEverythingFails) {
  const SearchSpace space = synthetic_space(3, 4);
  GeneticSearch genetic(space, settings_for(64, 3), 1);
  std::size_t proposed = 0;
  while (true) {
    const auto proposals = genetic.propose(1000);
    if (proposals.empty()) {
      break;
    }
    proposed += proposals.size();
    genetic.commit(std::vector<Fitness>(proposals.size(), {eval::EvalStatus::compile_failed, 0.0}));
  }
  EXPECT_EQ(proposed, 64U);
  EXPECT_TRUE(genetic.exhausted());
}

TEST(GeneticSearch, RefusesToGoOnWithoutTheFitnesses) {
  const SearchSpace space = synthetic_space(3, 4);
  GeneticSearch genetic(space, settings_for(64, 3), 1);
  (void)genetic.propose(10);
  EXPECT_THROW((void)genetic.propose(10), InternalError);
  EXPECT_THROW(genetic.commit({}), InternalError);
}

TEST(GeneticSearch, FindsTheOptimumWithAFractionOfWhatRandomSearchNeeds) {
  // 5^6 points, a third of them not valid: random search needs half of the space in the median.
  const SearchSpace space = synthetic_space(6, 5, 3);
  std::vector<std::size_t> needed;
  for (std::uint64_t seed = 1; seed <= 21; ++seed) {
    needed.push_back(evaluations_to_optimum(space, seed, 1500));
  }
  std::nth_element(needed.begin(), needed.begin() + 10, needed.end());
  EXPECT_GT(space.size(), 10'000U);
  EXPECT_LT(needed[10], space.size() / 20) << "median evaluations to the optimum";
}

TEST(GeneticSearch, IsAheadOfRandomSearchAtASmallBudget) {
  const SearchSpace space = synthetic_space(8, 4, 3);
  int wins = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    RandomStream random(seed, "random search", 0);
    Fitness best;
    for (const Point point : space.sample(120, random)) {
      const Fitness f = synthetic_fitness(space, point);
      best = better(f, best) ? f : best;
    }
    wins += better(search(space, seed, 120).best(), best) ? 1 : 0;
  }
  EXPECT_GE(wins, 22);
}

} // namespace
} // namespace coulomb::search
