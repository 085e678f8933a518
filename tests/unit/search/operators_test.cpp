// SPDX-License-Identifier: Apache-2.0
#include "search/ga/operators.hpp"

#include "base/error.hpp"
#include "search/ga/seen_points.hpp"
#include "search/ga/settings.hpp"
#include "tests/unit/search/synthetic_space.hpp"

#include <gtest/gtest.h>
#include <map>
#include <set>

namespace coulomb::search {
namespace {

using eval::EvalStatus;

std::vector<Individual> population() {
  return {{0, 10, {EvalStatus::ok, 1.0}},
          {1, 11, {EvalStatus::ok, 2.0}},
          {2, 12, {EvalStatus::ok, 3.0}},
          {3, 13, {EvalStatus::crashed, 0.0}}};
}

TEST(Ranking, BreaksTiesByIdSoThatTheOrderIsTotal) {
  const Individual a{1, 5, {EvalStatus::ok, 1.0}};
  const Individual b{2, 4, {EvalStatus::ok, 1.0}};
  EXPECT_TRUE(ranks_before(a, b));
  EXPECT_FALSE(ranks_before(b, a));
  EXPECT_FALSE(ranks_before(a, a));
}

TEST(Tournament, FavoursTheBestByItsNumberOfRounds) {
  const auto individuals = population();
  std::map<std::uint64_t, int> wins;
  RandomStream random(1, "t", 0);
  for (int i = 0; i < 4000; ++i) {
    ++wins[tournament(individuals, 2, random).id];
  }
  // The best wins unless both draws miss it: 1 - (3/4)^2 = 7/16; the worst only against itself:
  // 1/16.
  EXPECT_NEAR(wins[0], 4000 * 7 / 16, 150);
  EXPECT_NEAR(wins[3], 4000 * 1 / 16, 75);
}

TEST(Tournament, RefusesAnEmptyPopulation) {
  RandomStream random(1, "t", 0);
  EXPECT_THROW((void)tournament({}, 2, random), InternalError);
}

TEST(UniformCrossover, TakesEachGeneFromEitherParentEvenly) {
  const Genes a = {0, 0, 0, 0, 7};
  const Genes b = {1, 1, 1, 1, 7};
  int from_b = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    RandomStream random(1, "u", i);
    const Genes child = uniform_crossover(a, b, random);
    EXPECT_EQ(child[4], 7);
    for (std::size_t d = 0; d < 4; ++d) {
      ASSERT_LE(child[d], 1);
      from_b += child[d];
    }
  }
  EXPECT_NEAR(from_b, 2000, 150);
}

TEST(OnePointCrossover, CutsInsideSoThatBothParentsGive) {
  const Genes a = {0, 0, 0, 0};
  const Genes b = {1, 1, 1, 1};
  std::set<Genes> children;
  for (std::uint64_t i = 0; i < 100; ++i) {
    RandomStream random(1, "o", i);
    children.insert(one_point_crossover(a, b, random));
  }
  EXPECT_EQ(children, (std::set<Genes>{{0, 1, 1, 1}, {0, 0, 1, 1}, {0, 0, 0, 1}}));
}

TEST(OnePointCrossover, CopiesTheOnlyGene) {
  RandomStream random(1, "o", 0);
  EXPECT_EQ(one_point_crossover(Genes{3}, Genes{4}, random), Genes{3});
}

TEST(Mutation, ChangesAtLeastOneGeneAndStaysInRange) {
  const SearchSpace space = synthetic_space(3, 4);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    RandomStream random(1, "m", i);
    Genes genes = {0, 3, 1};
    mutate(genes, space, 0.0, random);
    int changed = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      ASSERT_LT(genes[d], 4);
      changed += genes[d] != Genes({0, 3, 1})[d] ? 1 : 0;
    }
    ASSERT_EQ(changed, 1);
  }
}

TEST(Mutation, MostlyTakesShortStepsAlongTheValues) {
  const SearchSpace space = synthetic_space(1, 9);
  std::map<int, int> distances;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    RandomStream random(1, "m", i);
    Genes genes = {4};
    mutate(genes, space, 1.0, random);
    ++distances[std::abs(genes[0] - 4)];
  }
  EXPECT_EQ(distances.count(0), 0U);
  // Walks: 3/4 of all, half of them of one step; jumps: 1/4 of all, two of eight targets one step
  // away.
  EXPECT_NEAR(distances[1], 4000 * (0.75 * 0.5 + 0.25 * 0.25), 150);
  EXPECT_GT(distances[1], distances[2]);
  EXPECT_GT(distances[4], 0);
}

TEST(Mutation, LeavesASpaceWithoutChoicesAlone) {
  const SearchSpace space = synthetic_space(2, 1);
  RandomStream random(1, "m", 0);
  Genes genes = {0, 0};
  mutate(genes, space, 1.0, random);
  EXPECT_EQ(genes, (Genes{0, 0}));
}

TEST(SeenPoints, DrawsEachUnseenPointOnceThenNothing) {
  SeenPoints seen(20);
  std::set<Point> drawn;
  RandomStream random(1, "s", 0);
  for (int i = 0; i < 20; ++i) {
    const auto point = seen.draw_unseen(random);
    ASSERT_TRUE(point.has_value());
    EXPECT_TRUE(seen.add(*point));
    EXPECT_FALSE(seen.add(*point));
    drawn.insert(*point);
  }
  EXPECT_EQ(drawn.size(), 20U);
  EXPECT_EQ(seen.unseen(), 0U);
  EXPECT_EQ(seen.draw_unseen(random), std::nullopt);
}

TEST(Settings, FollowTheBudgetWithinBounds) {
  EXPECT_EQ(settings_for(1, 5).population, 8U);
  EXPECT_EQ(settings_for(240, 5).population, 20U);
  EXPECT_EQ(settings_for(240, 5).brood, 10U);
  EXPECT_EQ(settings_for(1'000'000, 5).population, 64U);
  EXPECT_DOUBLE_EQ(settings_for(240, 10).mutation, 0.05);
  EXPECT_DOUBLE_EQ(settings_for(240, 0).clone_mutation, 0.5);
}

} // namespace
} // namespace coulomb::search
