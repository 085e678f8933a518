// SPDX-License-Identifier: Apache-2.0
#include "search/ga/operators.hpp"

#include "base/error.hpp"
#include "search/ga/operator_bandit.hpp"
#include "search/strategy/seen_points.hpp"
#include "tests/unit/search/synthetic_space.hpp"

#include <gmock/gmock.h>
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

int differing(const SearchSpace& space, Point a, Point b) {
  const Genes x = space.genes(a);
  const Genes y = space.genes(b);
  int count = 0;
  for (std::size_t d = 0; d < x.size(); ++d) {
    count += x[d] != y[d] ? 1 : 0;
  }
  return count;
}

TEST(Crossover, GivesAValidPointBetweenItsParents) {
  const SearchSpace space = synthetic_space(6, 4, 3);
  for (std::uint64_t i = 0; i < 500; ++i) {
    RandomStream random(1, "x", i);
    const Point a = random.below(space.size());
    const Point b = random.below(space.size());
    const Point child = crossover(space, a, b, random);
    const Genes x = space.genes(a);
    const Genes y = space.genes(b);
    const Genes z = space.genes(child);
    for (std::size_t d = 0; d < x.size(); ++d) {
      ASSERT_TRUE(z[d] == x[d] || z[d] == y[d]) << "gene " << d;
    }
  }
}

TEST(Crossover, TakesFromBothUnlessTheyDifferInOneGeneOnly) {
  const SearchSpace space = synthetic_space(4, 4);
  const Point a = space.find(Genes{0, 0, 0, 0}).value();
  const Point b = space.find(Genes{1, 1, 1, 1}).value();
  std::map<int, int> taken;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    RandomStream random(1, "x", i);
    ++taken[differing(space, a, crossover(space, a, b, random))];
  }
  EXPECT_EQ(taken.size(), 3U) << "1, 2 or 3 of the 4 genes";
  EXPECT_NEAR(taken[1], 1000, 100);
  EXPECT_NEAR(taken[3], 1000, 100);
  const Point near = space.find(Genes{0, 0, 2, 0}).value();
  RandomStream random(1, "x", 0);
  EXPECT_EQ(crossover(space, a, near, random), near);
  EXPECT_EQ(crossover(space, a, a, random), a);
}

TEST(Step, MostlyGoesToTheNextValue) {
  const SearchSpace space = synthetic_space(1, 9);
  std::map<int, int> distances;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    RandomStream random(1, "m", i);
    const auto moved = step(space, 4, 0, random);
    ++distances[std::abs(static_cast<int>(space.genes(moved.value())[0]) - 4)];
  }
  EXPECT_EQ(distances.count(0), 0U);
  // Half of the walks; and those beyond the last value, one in 16, which take one step instead.
  EXPECT_NEAR(distances[1], 4000 * 9 / 16, 150);
  EXPECT_GT(distances[1], distances[2]);
  EXPECT_GT(distances[4], 0);
}

TEST(Step, WalksOverValuesThatAreNotValid) {
  // Only 0 and 3 of 0..3 are valid.
  std::vector<Dimension> dimensions(1);
  dimensions[0].name = "p";
  for (std::int64_t v = 0; v < 4; ++v) {
    dimensions[0].values.emplace_back(v);
  }
  const SearchSpace space(std::move(dimensions), {Genes{0}, Genes{3}});
  for (std::uint64_t i = 0; i < 20; ++i) {
    RandomStream random(1, "m", i);
    EXPECT_EQ(step(space, 0, 0, random), Point{1});
    EXPECT_EQ(jump(space, 0, 0, random), Point{1});
  }
}

TEST(Jump, GoesToEveryOtherValueEvenly) {
  const SearchSpace space = synthetic_space(1, 5);
  std::map<Point, int> reached;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    RandomStream random(1, "m", i);
    ++reached[jump(space, 2, 0, random).value()];
  }
  EXPECT_EQ(reached.size(), 4U);
  EXPECT_EQ(reached.count(2), 0U);
  EXPECT_NEAR(reached[0], 1000, 150);
}

TEST(Moves, AreNoneWhereThereIsNoOtherValue) {
  const SearchSpace space = synthetic_space(2, 1);
  RandomStream random(1, "m", 0);
  EXPECT_EQ(step(space, 0, 0, random), std::nullopt);
  EXPECT_EQ(jump(space, 0, 0, random), std::nullopt);
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

TEST(OperatorBandit, GivesTheOperatorThatEarnsTheLargestShareAndKeepsTheFloor) {
  OperatorBandit bandit(3, 20, 0.05);
  EXPECT_THAT(bandit.shares(), ::testing::Each(::testing::DoubleNear(1.0 / 3.0, 1e-12)));
  for (int i = 0; i < 30; ++i) {
    bandit.credit(0, 1.0);
    bandit.credit(1, 0.0);
  }
  const auto shares = bandit.shares();
  EXPECT_NEAR(shares[0] + shares[1] + shares[2], 1.0, 1e-12);
  EXPECT_GT(shares[0], shares[2]);
  EXPECT_GT(shares[2], shares[1]) << "what nobody tried is worth more than what never worked";
  EXPECT_GE(shares[1], 0.05);
}

TEST(OperatorBandit, ForgetsWhatIsOlderThanItsWindow) {
  OperatorBandit bandit(2, 10, 0.0);
  for (int i = 0; i < 10; ++i) {
    bandit.credit(0, 1.0);
  }
  for (int i = 0; i < 10; ++i) {
    bandit.credit(1, 1.0);
  }
  EXPECT_GT(bandit.shares()[1], bandit.shares()[0]);
}

TEST(OperatorBandit, RefusesFloorsThatDoNotFit) {
  EXPECT_THROW(OperatorBandit(4, 10, 0.3), InternalError);
}

} // namespace
} // namespace coulomb::search
