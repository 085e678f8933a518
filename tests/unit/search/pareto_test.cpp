// SPDX-License-Identifier: Apache-2.0
#include "base/random.hpp"
#include "search/ga/arrangement.hpp"
#include "search/pareto/hypervolume.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace coulomb::search {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Small integers, so that there are many ties and repeated points.
std::vector<Objectives> random_points(std::size_t count, std::size_t m, RandomStream& random) {
  std::vector<Objectives> points(count, Objectives(m));
  for (auto& point : points) {
    for (double& value : point) {
      value = static_cast<double>(random.below(6));
    }
  }
  return points;
}

/// By the definition: fronts are peeled off one after the other.
std::vector<std::size_t> peeled(const std::vector<Objectives>& points) {
  constexpr std::size_t kNone = 999;
  std::vector<std::size_t> numbers(points.size(), kNone);
  for (std::size_t front = 0;; ++front) {
    std::vector<std::size_t> members;
    for (std::size_t p = 0; p < points.size(); ++p) {
      bool free = numbers[p] == kNone;
      for (std::size_t q = 0; q < points.size(); ++q) {
        free = free && !(numbers[q] == kNone && dominates(points[q], points[p]));
      }
      if (free) {
        members.push_back(p);
      }
    }
    if (members.empty()) {
      return numbers;
    }
    for (const std::size_t p : members) {
      numbers[p] = front;
    }
  }
}

TEST(Dominance, IsNowhereWorseAndSomewhereBetter) {
  EXPECT_TRUE(dominates(Objectives{1, 2}, Objectives{1, 3}));
  EXPECT_FALSE(dominates(Objectives{1, 2}, Objectives{1, 2}));
  EXPECT_FALSE(dominates(Objectives{1, 3}, Objectives{2, 2}));
}

TEST(Fronts, AreThoseOfTheDefinitionForTwoThreeAndFourObjectives) {
  RandomStream random(7, "fronts", 0);
  for (const std::size_t m : {1U, 2U, 3U, 4U}) {
    for (int repeat = 0; repeat < 40; ++repeat) {
      const auto points = random_points(1 + random.below(40), m, random);
      ASSERT_EQ(front_numbers(points), peeled(points)) << m << " objectives";
    }
  }
}

TEST(Fronts, NameEachOfEqualPointsOnce) {
  const std::vector<Objectives> points = {{3, 1}, {1, 3}, {2, 2}, {2, 2}, {3, 3}};
  EXPECT_THAT(pareto_front(points), ElementsAre(1, 2, 0));
}

TEST(Crowding, IsTheSumOfTheNeighboursDistances) {
  const std::vector<Objectives> front = {{0, 10}, {1, 4}, {4, 2}, {10, 0}};
  EXPECT_THAT(crowding_distances(front),
              ElementsAre(kInfinite, 4.0 / 10 + 8.0 / 10, 9.0 / 10 + 4.0 / 10, kInfinite));
}

TEST(Hypervolume, OfAFewBoxesIsWhatAPersonAddsUp) {
  const std::vector<Objectives> two = {{1, 3}, {2, 2}, {3, 1}};
  EXPECT_DOUBLE_EQ(hypervolume(two, {4, 4}), 6.0);
  EXPECT_DOUBLE_EQ(hypervolume(std::vector<Objectives>{{1, 1, 1}, {2, 2, 2}}, {3, 3, 3}), 8.0);
  EXPECT_DOUBLE_EQ(hypervolume(std::vector<Objectives>{{5, 1}}, {4, 4}), 0.0) << "outside";
  EXPECT_DOUBLE_EQ(hypervolume(std::vector<Objectives>{}, {4, 4}), 0.0);
}

TEST(Hypervolume, AgreesWithCountingCellsOfAGrid) {
  RandomStream random(3, "volume", 0);
  for (const std::size_t m : {1U, 2U, 3U, 4U}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      const auto points = random_points(1 + random.below(12), m, random);
      std::size_t cells = 1;
      for (std::size_t i = 0; i < m; ++i) {
        cells *= 6;
      }
      double counted = 0.0;
      for (std::size_t cell = 0; cell < cells; ++cell) {
        Objectives corner(m);
        for (std::size_t i = 0, rest = cell; i < m; ++i, rest /= 6) {
          corner[i] = static_cast<double>(rest % 6);
        }
        counted += std::any_of(points.begin(), points.end(), [&](const Objectives& p) {
          return std::equal(p.begin(), p.end(), corner.begin(), std::less_equal<>());
        });
      }
      ASSERT_NEAR(hypervolume(points, Objectives(m, 6.0)), counted, 1e-9);
    }
  }
}

TEST(GrowingFront, DoesNotChangeItsUnitsAndNeverShrinks) {
  RandomStream random(5, "growing", 0);
  GrowingFront small;
  GrowingFront large; // the same in other units
  double before = 0.0;
  for (int i = 0; i < 200; ++i) {
    const Objectives values = {static_cast<double>(random.below(1000)),
                               static_cast<double>(random.below(1000))};
    small.add(values);
    large.add({1e-6 * values[0], 1e9 * values[1] + 5.0});
    ASSERT_EQ(small.hypervolume().has_value(), i + 1 >= 12);
    if (const auto volume = small.hypervolume()) {
      ASSERT_GE(*volume, before);
      ASSERT_NEAR(*volume, large.hypervolume().value(), 1e-9);
      before = *volume;
    }
  }
  EXPECT_EQ(small.size(), large.size());
}

TEST(ArrangementByFront, PutsTheLonelyFirstAndFailuresLast) {
  const auto ok = [](std::uint64_t id, double a, double b) {
    return Individual{id, id, {eval::EvalStatus::ok, a, {a, b}}};
  };
  std::vector<Individual> population = {{0, 0, {eval::EvalStatus::crashed, 0.0}},
                                        ok(1, 5, 5),
                                        ok(2, 1, 4),
                                        ok(3, 1.1, 3.9),
                                        ok(4, 2.5, 2.5),
                                        ok(5, 4, 1)};
  arrange_by_front(population);
  std::vector<std::uint64_t> ids;
  for (const auto& individual : population) {
    ids.push_back(individual.id);
  }
  EXPECT_THAT(ids, ElementsAre(2, 5, 4, 3, 1, 0));
}

} // namespace
} // namespace coulomb::search
