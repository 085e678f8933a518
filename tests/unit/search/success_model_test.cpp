// SPDX-License-Identifier: Apache-2.0
#include "search/surrogate/success_model.hpp"

#include "tests/unit/search/synthetic_space.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace coulomb::search {
namespace {

/// A space of four parameters of six values in which the first two decide whether a point runs.
bool runs(const Genes& genes) {
  return genes[0] + genes[1] < 6;
}

TEST(SuccessModel, EverythingRunsUntilSomethingFailed) {
  const SearchSpace space = synthetic_space(4, 6);
  SuccessModel model(space, 1);
  model.learn(space.genes(0), true);
  EXPECT_FALSE(model.needed());
  model.renew(96, 384, 8, 8);
  model.watch(space.genes(1));
  EXPECT_EQ(model.log_chance(0), 0.0);
}

TEST(SuccessModel, TellsTheSideThatFailsFromTheOneThatRuns) {
  const SearchSpace space = synthetic_space(4, 6);
  SuccessModel model(space, 1);
  RandomStream random(1, "points");
  const auto points = space.sample(300, random);
  for (std::size_t i = 0; i < 150; ++i) {
    model.learn(space.genes(points[i]), runs(space.genes(points[i])));
  }
  model.renew(96, 384, 8, 150);
  std::size_t right = 0;
  for (std::size_t i = 150; i < 300; ++i) {
    model.watch(space.genes(points[i]));
    right += (model.log_chance(i - 150) > std::log(0.5)) == runs(space.genes(points[i])) ? 1 : 0;
  }
  EXPECT_GE(right, 135U) << "of 150 points that it has not seen";
}

TEST(SuccessModel, ChanceFallsExponentiallyWhereAllFail) {
  const SearchSpace space = synthetic_space(4, 6);
  SuccessModel model(space, 1);
  std::optional<Point> left; // of the corner in which everything fails
  for (Point point = 0; point < space.size(); ++point) {
    const Genes genes = space.genes(point);
    const bool corner = genes[0] + genes[1] >= 9;
    if (corner && !left) {
      left = point;
    } else if (corner || point % 7 == 0) {
      model.learn(genes, runs(genes));
    }
  }
  model.renew(96, 384, 8, 8);
  model.watch(space.genes(*left));
  EXPECT_LT(model.log_chance(0), std::log(1e-4)); // counting 20 failures would leave 1/20
}

TEST(SuccessModel, LearnsBetweenRenewals) {
  const SearchSpace space = synthetic_space(4, 6);
  SuccessModel model(space, 1);
  model.learn(space.genes(0), false);
  model.learn(space.genes(200), true);
  model.renew(96, 384, 8, 8);
  model.watch(space.genes(100));
  const double before = model.log_chance(0);
  model.learn(space.genes(100), false);
  EXPECT_LT(model.log_chance(0), before);
}

} // namespace
} // namespace coulomb::search
