// SPDX-License-Identifier: Apache-2.0
// Promises of every strategy that users of other tools missed: docs/complaints.md.
#include "search/ga/operators.hpp"
#include "tests/unit/search/strategy_run.hpp"
#include "tests/unit/search/synthetic_space.hpp"

#include <gtest/gtest.h>
#include <set>

namespace coulomb::search {
namespace {

class StrategyPromise : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Catalogue,
                         StrategyPromise,
                         ::testing::ValuesIn(strategy_names()),
                         [](const auto& instance) { return strategy_test_name(instance); });

/// Points 0 to `size` - 1 of one parameter, of which only every second value is valid.
SearchSpace sparse_line(std::size_t size) {
  std::vector<Dimension> dimensions(1);
  dimensions[0].name = "p";
  std::vector<Genes> valid;
  for (std::size_t v = 0; v < 2 * size; ++v) {
    dimensions[0].values.emplace_back(static_cast<std::int64_t>(v));
    if (v % 2 == 0) {
      valid.push_back({static_cast<Gene>(v)});
    }
  }
  return {std::move(dimensions), valid};
}

/// `size` points of `size` parameters, no two of which differ in fewer than two of them.
SearchSpace diagonal(std::size_t size) {
  std::vector<Dimension> dimensions(std::max<std::size_t>(2, size));
  std::vector<Genes> valid;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    dimensions[d].name = fmt::format("p{}", d);
    for (std::size_t v = 0; v < size; ++v) {
      dimensions[d].values.emplace_back(static_cast<std::int64_t>(v));
    }
  }
  for (std::size_t v = 0; v < size; ++v) {
    valid.emplace_back(dimensions.size(), static_cast<Gene>(v));
  }
  return {std::move(dimensions), valid};
}

TEST_P(StrategyPromise, RepeatsNoPointThatIsKnownOrInFlightWhateverItLearns) {
  const SearchSpace space = synthetic_space(4, 4, 3);
  const std::vector<PointJudge> judges = {
      [&](Point p) { return synthetic_fitness(space, p); },
      [](Point) {
        return Fitness{eval::EvalStatus::ok, 1.0};
      }, // converged from the start
      [](Point p) {
        return Fitness{p % 2 == 0 ? eval::EvalStatus::ok : eval::EvalStatus::crashed, 2.0};
      }};
  for (const std::uint64_t lookahead : {1U, 3U, 16U, 1000U}) {
    for (const std::optional<std::size_t> fence :
         {std::optional<std::size_t>(), std::optional<std::size_t>(1)}) {
      for (const PointJudge& judge : judges) {
        const StrategyStart start{
            .seed = lookahead, .lookahead = lookahead, .first = Point{7}, .fence = fence};
        const StrategyRun run = run_strategy(GetParam(), space, start, 10 * space.size(), judge);
        const std::vector<Point> points = run.points();
        EXPECT_EQ(std::set<Point>(points.begin(), points.end()).size(), points.size());
        EXPECT_EQ(points.size(), space.size());
        EXPECT_TRUE(run.exhausted);
      }
    }
  }
}

TEST_P(StrategyPromise, EndsASpaceOfOneTwoOrThreePointsHavingProposedEach) {
  for (const std::size_t size : {1U, 2U, 3U}) {
    for (const SearchSpace& space : {sparse_line(size), diagonal(size)}) {
      for (const std::uint64_t lookahead : {1U, 2U, 8U}) {
        for (const std::optional<Point> first :
             {std::optional<Point>(), std::optional<Point>(size - 1)}) {
          for (const auto status : {eval::EvalStatus::ok, eval::EvalStatus::timeout}) {
            Strategy strategy =
                find_strategy(GetParam())
                    .make(space, {.seed = 1, .lookahead = lookahead, .first = first});
            std::set<Point> points;
            std::uint64_t committed = 0;
            std::vector<Proposal> proposals;
            const auto next = [&] {
              for (; committed < strategy.needs(); ++committed) {
                strategy.commit({committed, proposals.at(committed).point, {status, 1.0}});
              }
              return strategy.propose();
            };
            while (const auto proposal = next()) {
              ASSERT_LT(proposals.size(), size);
              proposals.push_back(*proposal);
              points.insert(proposal->point);
            }
            EXPECT_EQ(points.size(), size);
            EXPECT_EQ(strategy.propose(), std::nullopt) << "asked once more";
          }
        }
      }
    }
  }
}

/// Sizes at which a strategy of the catalogue changes what it does: random beginnings, populations
/// and generations, of one population and of four islands.
constexpr std::array<std::uint64_t, 6> kPopulations = {5, 12, 16, 24, 32, 48};

TEST_P(StrategyPromise, SpendsABudgetOfNothingOfOneAndAroundEveryPopulation) {
  const SearchSpace space = synthetic_space(4, 4);
  std::set<std::uint64_t> budgets = {0, 1};
  for (const std::uint64_t population : kPopulations) {
    budgets.insert({population - 1, population, population + 1});
  }
  for (const std::uint64_t budget : budgets) {
    for (const std::uint64_t lookahead : {1U, 8U, 100U}) {
      const StrategyRun run =
          run_strategy(GetParam(), space, {.seed = 2, .lookahead = lookahead}, budget,
                       [&](Point p) { return synthetic_fitness(space, p); });
      EXPECT_EQ(run.proposals.size(), budget);
      EXPECT_FALSE(run.exhausted);
    }
  }
}

/// A space of integers, words and permutations, restricted across all of them.
SearchSpace mixed_space() {
  std::vector<Dimension> dimensions(4);
  dimensions[0] = {"threads",
                   {std::int64_t{32}, std::int64_t{64}, std::int64_t{96}, std::int64_t{256}}};
  dimensions[1] = {"unroll", {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{7}}};
  dimensions[2] = {"layout",
                   {std::string("row"), std::string("column"), std::string("tiled")},
                   kernel::ParameterKind::categorical};
  dimensions[3] = {"order",
                   {std::string("m,n,k"), std::string("m,k,n"), std::string("n,m,k"),
                    std::string("n,k,m"), std::string("k,m,n"), std::string("k,n,m")},
                   kernel::ParameterKind::permutation};
  std::vector<Genes> valid;
  for (Gene a = 0; a < 4; ++a) {
    for (Gene b = 0; b < 4; ++b) {
      for (Gene c = 0; c < 3; ++c) {
        for (Gene d = 0; d < 6; ++d) {
          if ((a + b + c + d) % 3 != 0) {
            valid.push_back({a, b, c, d});
          }
        }
      }
    }
  }
  return {std::move(dimensions), valid};
}

/// True if every value is one of the parameter's list, of the same type.
bool of_the_lists(const SearchSpace& space, const kernel::Configuration& configuration) {
  const auto& dimensions = space.dimensions();
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const auto& [name, value] = configuration.entries()[d];
    const auto& values = dimensions[d].values;
    if (name != dimensions[d].name ||
        std::find(values.begin(), values.end(), value) == values.end()) {
      return false;
    }
  }
  return configuration.entries().size() == dimensions.size();
}

TEST_P(StrategyPromise, ProposesValuesOfTheListsSoThatIntegersStayIntegers) {
  const SearchSpace space = mixed_space();
  const StrategyRun run =
      run_strategy(GetParam(), space, {.seed = 3, .lookahead = 4}, 150, [](Point p) {
        return Fitness{eval::EvalStatus::ok, static_cast<double>((p * 37) % 101)};
      });
  ASSERT_EQ(run.proposals.size(), 150U);
  for (const Proposal& proposal : run.proposals) {
    const auto configuration = space.configuration(proposal.point);
    ASSERT_TRUE(of_the_lists(space, configuration)) << configuration.key();
    ASSERT_TRUE(std::holds_alternative<std::int64_t>(*configuration.find("threads")));
    ASSERT_EQ(space.find(configuration), proposal.point);
  }
}

TEST(Operators, MoveFromValidPointsToValidPointsOnly) {
  const SearchSpace space = mixed_space();
  RandomStream random(1, "complaints");
  for (int i = 0; i < 3000; ++i) {
    const Point a = random.below(space.size());
    const Point b = random.below(space.size());
    std::vector<Point> children = space.neighbours(a);
    children.push_back(crossover(space, a, b, random));
    for (std::size_t d = 0; d < 4; ++d) {
      for (const auto& moved : {step(space, a, d, random), jump(space, a, d, random)}) {
        if (moved) {
          children.push_back(*moved);
        }
      }
    }
    for (const Point child : children) {
      ASSERT_LT(child, space.size());
      ASSERT_TRUE(of_the_lists(space, space.configuration(child)));
      ASSERT_EQ(space.find(space.genes(child)), child);
    }
  }
}

} // namespace
} // namespace coulomb::search
