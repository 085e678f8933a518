// SPDX-License-Identifier: Apache-2.0
// Whole searches with every strategy of the catalogue: docs/complaints.md.
#include "search/objective/ranking.hpp"
#include "search/store/search_summary.hpp"
#include "tests/component/search/driven_search.hpp"
#include "tests/unit/search/scratch_directory.hpp"
#include "tests/unit/search/strategy_run.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::search {
namespace {

using eval::EvalStatus;

class SearchWith : public ::testing::TestWithParam<std::string> {
protected:
  SearchRecords search(const std::string& name, const SearchSpace& space, const DrivenSearch& how) {
    stopped_by_ = how.run(space, SearchStore::create(dir_.path(name), synthetic_header()));
    return load_search(dir_.path(name));
  }

  ScratchDirectory dir_;
  std::string stopped_by_;
};

INSTANTIATE_TEST_SUITE_P(Catalogue,
                         SearchWith,
                         ::testing::ValuesIn(strategy_names()),
                         [](const auto& instance) { return strategy_test_name(instance); });

TEST_P(SearchWith, ASpaceOfOneTwoOrThreePointsEndsAsExhaustedWithAllResults) {
  for (const std::size_t size : {1U, 2U, 3U}) {
    const SearchSpace space = synthetic_space(1, size);
    const auto records =
        search(fmt::format("tiny{}", size), space, {.strategy = GetParam(), .budget = 100});
    EXPECT_EQ(stopped_by_, "exhausted");
    EXPECT_EQ(records.stopped_by, "exhausted");
    ASSERT_EQ(records.evaluations.size(), size);
    EXPECT_EQ(summarise(records.evaluations).unique, size);
    EXPECT_EQ(Ranking(records).best(9).size(), size);
  }
}

TEST_P(SearchWith, ABudgetOfNothingOfOneAndAroundItsPopulationIsSpentExactly) {
  const SearchSpace space = synthetic_space(4, 4, 3);
  for (const std::uint64_t budget : {0U, 1U, 4U, 5U, 6U, 11U, 12U, 13U, 31U, 32U, 33U}) {
    const auto records =
        search(fmt::format("budget{}", budget), space, {.strategy = GetParam(), .budget = budget});
    EXPECT_EQ(stopped_by_, "budget");
    EXPECT_EQ(records.evaluations.size(), budget);
    EXPECT_EQ(summarise(records.evaluations).unique, budget);
  }
}

TEST_P(SearchWith, AnInterruptionAnywhereChangesNothingOfTheTrace) {
  const SearchSpace space = synthetic_space(5, 4, 3);
  DrivenSearch how{.strategy = GetParam()};
  const auto whole = without_times_of_day(search("whole", space, how));
  ASSERT_EQ(whole.size(), how.budget);
  for (std::size_t cut = 1; cut < how.budget; cut += 9) {
    const std::string name = fmt::format("cut{}", cut);
    how.limit = cut;
    EXPECT_EQ(search(name, space, how).evaluations.size(), cut);
    EXPECT_EQ(stopped_by_, "signal");
    how.limit = std::numeric_limits<std::size_t>::max();
    EXPECT_EQ(how.run(space, SearchStore::resume(dir_.path(name), synthetic_header())), "budget");
    EXPECT_EQ(without_times_of_day(load_search(dir_.path(name))), whole) << "cut at " << cut;
  }
}

/// What a broken measurement may give instead of a time.
Evaluation with_broken_times(const SearchSpace& space, const Candidate& candidate) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr std::array<double, 6> kBroken = {
      std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity, 0.0, -1.0, -0.0};
  Evaluation e = synthetic_evaluation(space, candidate);
  const Point point = space.find(candidate.configuration).value();
  if (point % 3 == 0 && e.status == EvalStatus::ok) {
    e.sim.time_ms = kBroken[point / 3 % kBroken.size()];
  }
  return e;
}

Evaluation with_wrong_results(const SearchSpace& space, const Candidate& candidate) {
  Evaluation e = synthetic_evaluation(space, candidate);
  if (space.find(candidate.configuration).value() % 3 == 0 && e.status == EvalStatus::ok) {
    e.status = EvalStatus::wrong_result;
  }
  return e;
}

TEST_P(SearchWith, TimesThatAreNoNumbersAreCountedAndSteerNothing) {
  const SearchSpace space = synthetic_space(5, 4, 3);
  const auto broken = search(
      "broken", space, {.strategy = GetParam(), .budget = 120, .evaluate = with_broken_times});
  EXPECT_EQ(stopped_by_, "budget");
  const auto failing = search(
      "failing", space, {.strategy = GetParam(), .budget = 120, .evaluate = with_wrong_results});
  ASSERT_EQ(broken.evaluations.size(), 120U);
  for (std::size_t i = 0; i < 120; ++i) {
    ASSERT_EQ(broken.evaluations[i].configuration, failing.evaluations[i].configuration)
        << "as if it had failed without a number";
    ASSERT_TRUE(std::isfinite(broken.evaluations[i].time_ms));
  }
  const SearchSummary summary = summarise(broken.evaluations);
  const auto& wrong = summary.statuses[static_cast<std::size_t>(EvalStatus::wrong_result)];
  EXPECT_GT(wrong.count, 0U);
  EXPECT_EQ(wrong.count, summarise(failing.evaluations)
                             .statuses[static_cast<std::size_t>(EvalStatus::wrong_result)]
                             .count);
  EXPECT_THAT(wrong.first_message, ::testing::StartsWith("the simulation ended with time_ms = "));
  const auto best = Ranking(broken).best(1);
  ASSERT_EQ(best.size(), 1U);
  EXPECT_GT(broken.evaluations[best[0]].time_ms, 0.0);
}

TEST_P(SearchWith, NothingThatRunsEndsWithTheFirstMessageOfEachCause) {
  const SearchSpace space = synthetic_space(3, 4);
  const auto fail = [](const SearchSpace&, const Candidate& candidate) {
    Evaluation e;
    e.id = candidate.id;
    e.configuration = candidate.configuration;
    e.status = candidate.id % 2 == 0 ? EvalStatus::compile_failed : EvalStatus::crashed;
    e.message = fmt::format("cause {}", candidate.id);
    return e;
  };
  const auto records =
      search("nothing", space, {.strategy = GetParam(), .budget = 40, .evaluate = fail});
  EXPECT_EQ(stopped_by_, "budget");
  const SearchSummary summary = summarise(records.evaluations);
  EXPECT_EQ(summary.ok(), 0U);
  EXPECT_EQ(summary.wasted_share(), 1.0);
  const auto of = [&](EvalStatus status) {
    return summary.statuses[static_cast<std::size_t>(status)];
  };
  EXPECT_EQ(of(EvalStatus::compile_failed).first_message, "cause 0");
  EXPECT_EQ(of(EvalStatus::compile_failed).last_message, "cause 38");
  EXPECT_EQ(of(EvalStatus::crashed).first_message, "cause 1");
  EXPECT_TRUE(Ranking(records).best(1).empty());
}

TEST(WastedShare, IsOfAllEvaluations) {
  EXPECT_EQ(summarise({}).wasted_share(), 0.0);
  const std::vector<EvaluationRecord> records = {
      ok_record(0, 1.0), failed_record(1, EvalStatus::crashed, "a"), ok_record(2, 1.0),
      failed_record(3, EvalStatus::restricted, "b"), failed_record(4, EvalStatus::crashed, "c")};
  EXPECT_EQ(summarise(records).wasted_share(), 0.6);
}

} // namespace
} // namespace coulomb::search
