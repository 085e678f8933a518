// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "search/objective/metric.hpp"
#include "search/objective/ranking.hpp"
#include "tests/unit/search/synthetic_records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::search {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<std::string> kMetrics = {"time_ms",   "cycles",          "ipc",
                                           "registers", "dram__bytes.sum", "sm__inst_executed.sum"};

ObjectiveSettings of(std::vector<std::string> objectives) {
  return {.objectives = std::move(objectives), .reward = {}};
}

template <class E>
std::string refusal(const std::vector<std::string>& objectives, std::string* hint = nullptr) {
  try {
    check_metrics(Scorer(of(objectives)).metrics(), kMetrics);
  } catch (const E& e) {
    if (hint != nullptr) {
      *hint = e.hint();
    }
    return e.what();
  }
  return "accepted";
}

TEST(Objective, TakesTimeAndExpressionsOverMetrics) {
  const EvaluationRecord r = ok_record(0, 2.0);
  EXPECT_EQ(Objective::parse("time").cost(r), 2.0);
  EXPECT_EQ(Objective::parse("max ipc").cost(r), -1.25);
  EXPECT_EQ(Objective::parse("max ipc").value(r), 1.25);
  EXPECT_DOUBLE_EQ(Objective::parse("dram__bytes.sum / time_ms + registers").value(r),
                   1.0 / 6.0 + 40.0);
}

TEST(Objective, KnowsTheFiguresOfThePowerModel) {
  EvaluationRecord r = ok_record(0, 2.0);
  r.counters["model__power.avg"] = 150.0;
  r.counters["model__energy.sum"] = 0.3;
  r.counters["model__temperature.avg"] = 55.0;
  EXPECT_EQ(Objective::parse("power").value(r), 150.0);
  EXPECT_DOUBLE_EQ(Objective::parse("energy").value(r), 300.0); // mJ
  EXPECT_DOUBLE_EQ(Objective::parse("edp").value(r), 600.0);    // mJ ms
  EXPECT_EQ(Objective::parse("temperature").value(r), 55.0);
}

TEST(Objective, SaysWhatSiliconDoesNotRecordAndWhatNobodyKnows) {
  std::string hint;
  EXPECT_EQ(refusal<UnsupportedError>({"energy_mj"}, &hint),
            "objective: energy_mj takes the simulator, recorded silicon has times alone");
  EXPECT_EQ(hint,
            "there are: time_ms, cycles, ipc, registers, and the counters of docs/counters.md");
  EXPECT_EQ(refusal<UnsupportedError>({"edp"}),
            "objective: edp takes the simulator, recorded silicon has times alone");
  EXPECT_THAT(refusal<UserError>({"dram__byte.sum"}),
              HasSubstr("there is no metric dram__byte.sum"));
  EXPECT_THAT(refusal<UserError>({"dram__byte.sum"}), HasSubstr("dram__bytes.sum"));
  EXPECT_THAT(refusal<UserError>({"ipc +"}), HasSubstr("expression \"ipc +\""));
  EXPECT_EQ(refusal<UserError>({"1 + 1"}),
            "objective \"1 + 1\" names no metric: every configuration is equal");
  EXPECT_EQ(refusal<UserError>({"max (ipc, cycles)"}),
            "objective \"max (ipc, cycles)\" is not a number");
  EXPECT_EQ(refusal<UserError>({"max(ipc, cycles)"}), "accepted");
  EXPECT_EQ(refusal<UserError>({"pareto"}), "objective: pareto of what?");
  EXPECT_EQ(refusal<UserError>({"time", "time"}), "objective: time is given twice");
  EXPECT_THAT(refusal<UserError>({"time", "reward"}), HasSubstr("a reward weighs everything"));
}

TEST(Objective, OfRecordedMeasurementsIsTimeOnly) {
  const Scorer ipc(of({"max ipc"}));
  try {
    check_metrics(ipc.metrics(), {"time_ms", "cycles"});
    FAIL();
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(), "objective: there is no metric ipc");
    EXPECT_EQ(e.hint(), "there are: time_ms, cycles");
  }
}

TEST(Scorer, RanksTheSameWhateverConstantIsAddedOrWhichSideIsUp) {
  std::vector<EvaluationRecord> records;
  for (std::uint64_t id = 0; id < 6; ++id) {
    records.push_back(ok_record(id, 1.0 + static_cast<double>((id * 5) % 7)));
  }
  records.push_back(failed_record(6, eval::EvalStatus::crashed, "fell over"));
  const auto order = [&](const std::string& objective) {
    SearchRecords search;
    search.header = synthetic_header();
    search.evaluations = records;
    search.header.objectives = of({objective});
    return Ranking(search).best(99);
  };
  EXPECT_EQ(order("time").size(), 6U);
  EXPECT_EQ(order("time"), order("time_ms - 1000"));
  EXPECT_EQ(order("time"), order("max -time_ms"));
  EXPECT_EQ(order("time"), order("max 1 / time_ms"));
}

TEST(Ranking, PutsTheFrontFirst) {
  SearchRecords search;
  search.header = synthetic_header();
  search.header.objectives = of({"time", "registers"});
  const auto add = [&](double ms, std::uint32_t registers) {
    search.evaluations.push_back(ok_record(search.evaluations.size(), ms));
    search.evaluations.back().registers = registers;
  };
  add(3.0, 10);
  add(1.0, 60);
  add(4.0, 11);
  add(2.0, 30);
  const Ranking ranking(search);
  EXPECT_THAT(ranking.front(), ElementsAre(1, 3, 0));
  EXPECT_THAT(ranking.best(9), ElementsAre(1, 3, 0, 2));
  EXPECT_EQ(ranking.text(3), "time 2 ms, registers 30");
}

EvaluationRecord measured(double ms, double ipc, double watts) {
  EvaluationRecord r = ok_record(0, ms);
  r.ipc = ipc;
  r.counters["model__power.avg"] = watts;
  return r;
}

TEST(Reward, IsTheSumOfTheWeightsForTheBaselineItself) {
  WeightedReward reward(default_reward_schedule());
  reward.set_baseline(measured(2.0, 1.5, 200.0));
  for (const double progress : {0.0, 0.3, 1.0}) {
    EXPECT_NEAR(reward.reward(measured(2.0, 1.5, 200.0), progress), 1.0, 1e-12);
  }
  // 0.6 x 2 + 0.3 x 1/2 + 0.1 x 4
  EXPECT_NEAR(reward.reward(measured(0.5, 3.0, 400.0), 0.0), 1.75, 1e-12);
}

TEST(Reward, NeedsPowerOnlyIfItIsWeighed) {
  EXPECT_EQ(WeightedReward(default_reward_schedule()).metrics(),
            (std::vector<std::string>{"ipc", "power_w", "time_ms"}));
  const auto weights = parse_reward_weights("ipc=0.8,latency=0.2");
  EXPECT_EQ(WeightedReward({.start = weights, .end = weights}).metrics(),
            (std::vector<std::string>{"ipc", "time_ms"}));
}

TEST(Reward, DoesNotDivideByWhatIsMissingOrZero) {
  const Scorer scorer({.objectives = {"reward"}, .reward = default_reward_schedule()});
  EXPECT_EQ(scorer.problem(measured(1.0, 1.0, 200.0)), "");
  EXPECT_EQ(scorer.problem(measured(1.0, 0.0, 200.0)), "reward: ipc is 0, it must be above 0");
  EXPECT_EQ(scorer.problem(ok_record(0, 1.0)), "reward: the evaluation has no power_w");
}

TEST(Reward, RefusesWeightsThatAreNone) {
  for (const char* text : {"", "ipc", "ipc=x", "ipc=-1", "ipc=0", "ipc=nan", "ipc=1,ipc=2",
                           "ipc=0,ipc=1", "ipc=0.6x", "ipc= 1", "ipc="}) {
    EXPECT_THROW((void)parse_reward_weights(text), UserError) << text;
  }
  try {
    (void)parse_reward_weights("icp=1");
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(), "reward: there is no term icp (did you mean \"ipc\"?)");
  }
}

/// The first trap: a kernel that executes twice the instructions in the same time has twice the
/// IPC.
TEST(RewardTraps, UselessInstructionsRaiseTheRewardAndNotTheDefaultObjective) {
  WeightedReward reward(default_reward_schedule());
  const auto honest = measured(1.0, 1.0, 200.0);
  const auto padded = measured(1.05, 1.9, 220.0); // slower, hotter, busier
  reward.set_baseline(honest);
  EXPECT_GT(reward.reward(padded, 0.0), reward.reward(honest, 0.0));
  const Scorer by_time(ObjectiveSettings{});
  EXPECT_TRUE(better(by_time.fitness(honest, 0.0), by_time.fitness(padded, 0.0)));
}

} // namespace
} // namespace coulomb::search
