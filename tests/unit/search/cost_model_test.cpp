// SPDX-License-Identifier: Apache-2.0
// Improvement per second: docs/search.md, strategy `ga-cost`.
#include "search/surrogate/cost_model.hpp"
#include "tests/unit/search/strategy_run.hpp"
#include "tests/unit/search/synthetic_space.hpp"

#include "base/random.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace coulomb::search {
namespace {

constexpr std::uint64_t kBudget = 120;

/// The last parameter is of no use and expensive, as a factor of unrolling may be.
double seconds_of(const SearchSpace& space, Point point) {
  return 0.25 * std::pow(4.0, space.genes(point).back());
}

/// Times that know nothing of costs: equal for all values of the last parameter but for one part in
/// a thousand at random.
Fitness fitness_of(const SearchSpace& space, Point point) {
  double time = 1.0;
  const Genes genes = space.genes(point);
  for (std::size_t d = 0; d + 1 < genes.size(); ++d) {
    const double x = static_cast<double>(genes[d]) - 2.0;
    time += 0.25 * x * x;
  }
  RandomStream random(1, "ripple", point);
  return {eval::EvalStatus::ok, time * (1.0 + 1e-3 * random.uniform())};
}

struct Spent {
  double seconds = 0.0;
  double best = 1e9;
  std::vector<Point> points;
};

Spent search_with(const std::string& strategy,
                  const SearchSpace& space,
                  std::uint64_t seed,
                  bool known) {
  Strategy search = find_strategy(strategy).make(space, {.seed = seed, .lookahead = 1});
  Spent spent;
  for (std::uint64_t k = 0; k < kBudget; ++k) {
    const auto proposal = search.propose().value();
    const Fitness fitness = fitness_of(space, proposal.point);
    const double seconds = seconds_of(space, proposal.point);
    spent.points.push_back(proposal.point);
    spent.seconds += seconds;
    spent.best = std::min(spent.best, fitness.value);
    search.commit({proposal.id, proposal.point, fitness, known ? seconds : 0.0});
  }
  return spent;
}

TEST(CostModel, PredictsSecondsOfWhatItHasNotSeen) {
  const SearchSpace space = synthetic_space(4, 5);
  CostModel model(space, 1);
  RandomStream random(1, "points");
  const auto points = space.sample(120, random);
  for (std::size_t i = 0; i < 80; ++i) {
    model.learn(space.genes(points[i]), seconds_of(space, points[i]));
  }
  model.renew(96, 384, 8, 40);
  for (std::size_t i = 80; i < 120; ++i) {
    model.watch(space.genes(points[i]));
  }
  for (std::size_t i = 81; i < 120; ++i) {
    const double truth = std::log(seconds_of(space, points[i]) / seconds_of(space, points[80]));
    EXPECT_NEAR(model.log_seconds(i - 80) - model.log_seconds(0), truth, 0.2);
  }
}

TEST(CostModel, SaysNothingWhereNoSecondsAreKnown) {
  const SearchSpace space = synthetic_space(4, 5);
  CostModel model(space, 1);
  model.learn(space.genes(0), 0.0);
  model.learn(space.genes(1), -1.0);
  model.renew(96, 384, 8, 8);
  model.watch(space.genes(2));
  EXPECT_EQ(model.log_seconds(0), 0.0);
}

TEST(GaCost, SpendsLessOnTheSameResult) {
  const SearchSpace space = synthetic_space(5, 4);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Spent plain = search_with("ga", space, seed, true);
    const Spent frugal = search_with("ga-cost", space, seed, true);
    EXPECT_LT(frugal.seconds, 0.8 * plain.seconds) << "seed " << seed;
    EXPECT_LT(frugal.best, 1.01) << "seed " << seed;
  }
}

TEST(GaCost, IsGaWhereNoSecondsAreKnown) {
  const SearchSpace space = synthetic_space(5, 4);
  EXPECT_EQ(search_with("ga-cost", space, 1, false).points,
            search_with("ga", space, 1, false).points);
}

} // namespace
} // namespace coulomb::search
