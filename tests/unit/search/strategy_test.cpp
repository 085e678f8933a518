// SPDX-License-Identifier: Apache-2.0
// What every strategy of the catalogue promises, whatever it does.
#include "base/error.hpp"
#include "search/driver/strategy_catalogue.hpp"
#include "search/strategy/ledger.hpp"
#include "tests/unit/search/synthetic_space.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace coulomb::search {
namespace {

struct Trace {
  std::vector<Proposal> proposals;
  std::vector<Fitness> fitnesses;

  [[nodiscard]] Fitness best() const {
    return *std::min_element(fitnesses.begin(), fitnesses.end(), better);
  }
};

using Judge = Fitness (*)(const SearchSpace&, Point);

Trace search(const std::string& name,
             const SearchSpace& space,
             const StrategyStart& start,
             std::uint64_t budget,
             Judge judge = synthetic_fitness) {
  Strategy strategy = find_strategy(name).make(space, start);
  Trace trace;
  std::uint64_t committed = 0;
  while (trace.proposals.size() < budget) {
    for (; committed < strategy.needs(); ++committed) {
      const Proposal& p = trace.proposals[committed];
      strategy.commit({p.id, p.point, trace.fitnesses[committed]});
    }
    const auto proposal = strategy.propose();
    if (!proposal) {
      break;
    }
    trace.proposals.push_back(*proposal);
    trace.fitnesses.push_back(judge(space, proposal->point));
  }
  return trace;
}

StrategyStart start(std::uint64_t seed, std::uint64_t lookahead = 1) {
  return {.seed = seed, .lookahead = lookahead, .first = {}};
}

class EveryStrategy : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryStrategy, NumbersItsProposalsAndNeverProposesAPointTwice) {
  const SearchSpace space = synthetic_space(4, 5, 3);
  for (const std::uint64_t lookahead : {1U, 8U}) {
    const Trace trace = search(GetParam(), space, start(1, lookahead), space.size());
    std::set<Point> points;
    for (std::size_t i = 0; i < trace.proposals.size(); ++i) {
      ASSERT_EQ(trace.proposals[i].id, i);
      ASSERT_FALSE(trace.proposals[i].origin.empty());
      ASSERT_TRUE(points.insert(trace.proposals[i].point).second) << "proposal " << i;
    }
    EXPECT_EQ(points.size(), space.size());
  }
}

TEST_P(EveryStrategy, EndsWhenTheSpaceIsExhaustedHavingSeenAllOfIt) {
  for (const std::size_t values : {1U, 2U, 3U}) {
    const SearchSpace space = synthetic_space(3, values);
    EXPECT_EQ(search(GetParam(), space, start(1, 4), 1000).proposals.size(), space.size());
  }
}

TEST_P(EveryStrategy, SpendsExactlyTheBudgetWhateverItIs) {
  const SearchSpace space = synthetic_space(5, 5);
  for (const std::uint64_t budget : {1U, 2U, 5U, 11U, 12U, 13U, 97U}) {
    EXPECT_EQ(search(GetParam(), space, start(1, 8), budget).proposals.size(), budget);
  }
}

TEST_P(EveryStrategy, RepeatsItselfForTheSameSeedWhateverRanBefore) {
  const SearchSpace space = synthetic_space(5, 4, 3);
  const Trace alone = search(GetParam(), space, start(9, 3), 80);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    (void)search(GetParam(), space, start(seed), 40);
  }
  EXPECT_EQ(search(GetParam(), space, start(9, 3), 80).proposals, alone.proposals);
  if (GetParam() != "exhaustive") {
    EXPECT_NE(search(GetParam(), space, start(10, 3), 80).proposals, alone.proposals);
  }
}

TEST_P(EveryStrategy, CarriesOnWhenEverythingFails) {
  const SearchSpace space = synthetic_space(3, 4);
  const auto fails = [](const SearchSpace&, Point) {
    return Fitness{eval::EvalStatus::compile_failed, 0.0};
  };
  EXPECT_EQ(search(GetParam(), space, start(1, 2), 1000, fails).proposals.size(), 64U);
}

TEST_P(EveryStrategy, TakesValuesThatAreNegativeOrAllTheSame) {
  const SearchSpace space = synthetic_space(4, 4);
  const auto negative = [](const SearchSpace& s, Point p) {
    const Fitness f = synthetic_fitness(s, p);
    return Fitness{f.status, f.value - 4.0};
  };
  const auto flat = [](const SearchSpace&, Point) { return Fitness{eval::EvalStatus::ok, 1.0}; };
  EXPECT_EQ(search(GetParam(), space, start(1), 60, negative).proposals.size(), 60U);
  EXPECT_EQ(search(GetParam(), space, start(1), 60, flat).proposals.size(), 60U);
}

TEST_P(EveryStrategy, DoesNotLookAtWhatWasNotCommitted) {
  // Two searches whose fitnesses differ in proposal 20 only: with a lookahead of 8 they must agree
  // up to proposal 27.
  const SearchSpace space = synthetic_space(5, 4);
  Strategy a = find_strategy(GetParam()).make(space, start(3, 8));
  Strategy b = find_strategy(GetParam()).make(space, start(3, 8));
  std::vector<Proposal> proposals;
  std::uint64_t committed = 0;
  for (std::uint64_t id = 0; id <= 27; ++id) {
    ASSERT_EQ(a.needs(), b.needs());
    for (; committed < a.needs(); ++committed) {
      const Proposal& p = proposals[committed];
      const Fitness fitness = synthetic_fitness(space, p.point);
      a.commit({p.id, p.point, fitness});
      b.commit({p.id, p.point, p.id == 20 ? Fitness{eval::EvalStatus::ok, 0.001} : fitness});
    }
    const auto from_a = a.propose();
    ASSERT_EQ(from_a, b.propose());
    proposals.push_back(from_a.value());
  }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& entry : strategies()) {
    all.emplace_back(entry.name);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue,
                         EveryStrategy,
                         ::testing::ValuesIn(names()),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Strategies, EvaluateTheGivenPointFirst) {
  const SearchSpace space = synthetic_space(3, 3);
  for (const std::string& name : names()) {
    const auto trace =
        search(name, space, {.seed = 1, .lookahead = 1, .first = Point{13}}, space.size());
    EXPECT_EQ(trace.proposals[0].point, 13U) << name;
    EXPECT_EQ(trace.proposals[0].origin, "first") << name;
    EXPECT_EQ(trace.proposals.size(), space.size()) << name;
  }
}

TEST(Strategies, AreFoundByNameOnly) {
  EXPECT_EQ(strategies().front().name, kDefaultStrategy);
  try {
    (void)find_strategy("radnom");
    FAIL();
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(),
                 "there is no search strategy \"radnom\"; there are: ga, ga-cost, "
                 "ga-plain, ga-generational, ga-islands, nsga2, hill-climb, random, exhaustive");
    EXPECT_THAT(e.hint(), ::testing::HasSubstr("random"));
  }
}

TEST(Strategies, RefuseCommitmentsOutOfOrder) {
  const SearchSpace space = synthetic_space(3, 3);
  Strategy strategy = find_strategy("random").make(space, start(1, 2));
  const auto first = strategy.propose().value();
  const auto second = strategy.propose().value();
  EXPECT_THROW((void)strategy.propose(), InternalError) << "two are out";
  EXPECT_THROW(strategy.commit({second.id, second.point, {}}), InternalError);
  strategy.commit({first.id, first.point, {}});
  EXPECT_TRUE(strategy.propose().has_value());
}

/// Median over 15 seeds of the evaluations to the space's optimum.
std::size_t median_to_optimum(const std::string& name, const SearchSpace& space) {
  const Fitness optimum = synthetic_optimum(space);
  std::vector<std::size_t> needed;
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    const Trace trace = search(name, space, start(seed), 1000);
    const auto at = std::find(trace.fitnesses.begin(), trace.fitnesses.end(), optimum);
    needed.push_back(static_cast<std::size_t>(at - trace.fitnesses.begin()) + 1);
  }
  std::nth_element(needed.begin(), needed.begin() + 7, needed.end());
  return needed[7];
}

TEST(Strategies, FindTheOptimumWithAFractionOfWhatRandomSearchNeeds) {
  // 5^6 points, a third of them not valid: random search needs half of the space in the median.
  const SearchSpace space = synthetic_space(6, 5, 3);
  ASSERT_GT(space.size(), 10'000U);
  EXPECT_LT(median_to_optimum("ga-plain", space), space.size() / 20);
  EXPECT_LT(median_to_optimum("ga", space), space.size() / 50);
}

TEST(Lookahead, IsA25thOfTheBudgetWithinBounds) {
  EXPECT_EQ(default_lookahead(1), 4U) << "two workers stay busy";
  EXPECT_EQ(default_lookahead(150), 6U);
  EXPECT_EQ(default_lookahead(200), 8U) << "the default budget";
  EXPECT_EQ(default_lookahead(1'000'000), 8U) << "what lies beyond was not measured";
}

} // namespace
} // namespace coulomb::search
