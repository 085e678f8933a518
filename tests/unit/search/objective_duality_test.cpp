// SPDX-License-Identifier: Apache-2.0
// What a number is, not how large it is or which way is up, steers a search: docs/complaints.md.
#include "search/ga/arrangement.hpp"
#include "search/objective/scorer.hpp"
#include "tests/unit/search/strategy_run.hpp"
#include "tests/unit/search/synthetic_records.hpp"
#include "tests/unit/search/synthetic_space.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace coulomb::search {
namespace {

using eval::EvalStatus;

constexpr std::uint64_t kBudget = 150;

/// Times are eighths of a millisecond, so that sums with whole numbers are exact.
std::optional<double> time_of(const SearchSpace& space, Point point) {
  if (point % 11 == 5) {
    return std::nullopt;
  }
  double time = 1.0;
  const Genes genes = space.genes(point);
  for (std::size_t d = 0; d < genes.size(); ++d) {
    const double x = static_cast<double>(genes[d]) - 2.0;
    time += 0.25 * x * x + (genes[d] % 2 == d % 2 ? 0.125 : 0.0);
  }
  return time;
}

StrategyRun
search_for(const std::string& strategy, const SearchSpace& space, const std::string& objective) {
  const Scorer scorer({.objectives = {objective}, .reward = {}});
  return run_strategy(strategy, space, {.seed = 11, .lookahead = 4}, kBudget, [&](Point point) {
    const auto time = time_of(space, point);
    return scorer.fitness(time ? ok_record(point, *time)
                               : failed_record(point, EvalStatus::launch_invalid, "no"),
                          0.0);
  });
}

class ObjectiveOf : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Catalogue,
                         ObjectiveOf,
                         ::testing::ValuesIn(strategy_names()),
                         [](const auto& instance) { return strategy_test_name(instance); });

TEST_P(ObjectiveOf, MaximisingTheNegativeIsTheSameSearch) {
  const SearchSpace space = synthetic_space(5, 4);
  const auto time = search_for(GetParam(), space, "time_ms");
  EXPECT_EQ(search_for(GetParam(), space, "max -time_ms").proposals, time.proposals);
  EXPECT_EQ(search_for(GetParam(), space, "max 0 - time_ms").proposals, time.proposals);
  EXPECT_EQ(search_for(GetParam(), space, "-time_ms").proposals,
            search_for(GetParam(), space, "max time_ms").proposals);
}

TEST_P(ObjectiveOf, AConstantMoreOrLessIsTheSameSearch) {
  const SearchSpace space = synthetic_space(5, 4);
  const auto below_zero = search_for(GetParam(), space, "time_ms - 64");
  EXPECT_EQ(search_for(GetParam(), space, "time_ms - 1024").proposals, below_zero.proposals);
  EXPECT_EQ(search_for(GetParam(), space, "max 64 - time_ms").proposals, below_zero.proposals);
  if (GetParam() != "ga" &&
      GetParam() != "ga-cost") { // their model takes the logarithm of what is positive throughout
    EXPECT_EQ(search_for(GetParam(), space, "time_ms").proposals, below_zero.proposals);
    EXPECT_EQ(search_for(GetParam(), space, "time_ms + 1024").proposals, below_zero.proposals);
  }
}

TEST_P(ObjectiveOf, AnotherUnitIsTheSameSearch) {
  const SearchSpace space = synthetic_space(5, 4);
  const auto milliseconds = search_for(GetParam(), space, "time_ms");
  EXPECT_EQ(search_for(GetParam(), space, "time_ms * 1024").proposals, milliseconds.proposals);
  EXPECT_EQ(search_for(GetParam(), space, "time_ms / 4096").proposals, milliseconds.proposals);
}

/// Whatever number a failure carries: it has none.
TEST_P(ObjectiveOf, AFailureHasNoNumber) {
  const SearchSpace space = synthetic_space(5, 4);
  const auto search_with = [&](double number) {
    return run_strategy(GetParam(), space, {.seed = 11, .lookahead = 4}, kBudget, [&](Point p) {
      const auto time = time_of(space, p);
      return time ? Fitness{EvalStatus::ok, *time - 2.5} : Fitness{EvalStatus::crashed, number};
    });
  };
  const auto expected = search_with(0.0).proposals;
  for (const double number :
       {-1e308, 1e308, std::nan(""), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::max()}) {
    EXPECT_EQ(search_with(number).proposals, expected) << number;
  }
}

TEST(Failures, NeverStandAmongNumbersInAnyOrder) {
  RandomStream random(1, "duality");
  for (const Arrange arrange : {arrange_by_fitness, arrange_by_front}) {
    for (int round = 0; round < 200; ++round) {
      std::vector<Individual> population;
      for (std::uint64_t id = 0; id < 24; ++id) {
        const bool failed = random.chance(0.4);
        const double magnitude = std::pow(10.0, 300.0 * (random.uniform() - 0.5));
        Individual individual{
            id, id, {EvalStatus::ok, random.chance(0.5) ? -magnitude : magnitude}};
        if (failed) {
          individual.fitness.status =
              static_cast<EvalStatus>(1 + random.below(eval::kEvalStatusCount - 1));
          individual.fitness.value = random.chance(0.3) ? std::nan("") : -1e308;
        }
        population.push_back(individual);
      }
      arrange(population);
      EXPECT_TRUE(std::is_partitioned(population.begin(), population.end(), [](const auto& i) {
        return i.fitness.status == EvalStatus::ok;
      }));
    }
  }
}

} // namespace
} // namespace coulomb::search
