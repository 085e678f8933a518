// SPDX-License-Identifier: Apache-2.0
#include "calibration/ladder/campaign.hpp"

#include "calibration/ladder/rank_agreement.hpp"
#include "tests/unit/calibration_ladder/synthetic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::calibration {
namespace {

using synthetic::candidate;
using synthetic::ran;
using synthetic::x_of;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::uint64_t> ids(const std::vector<SiliconRun>& runs) {
  std::vector<std::uint64_t> all;
  for (const SiliconRun& run : runs) {
    all.push_back(run.id);
  }
  return all;
}

TEST(Campaign, WithoutAGapModelMeasuresInTheOrderOfSimulatedTimesAndKeepsToItsBudget) {
  Campaign campaign({.silicon_budget = 4, .batch = 3}, std::nullopt, {},
                    [](const auto& c) { return ran(c.sim_ms); });
  const double times[] = {5.0, 1.0, 3.0, 2.0, 4.0};
  for (std::uint64_t i = 0; i < 5; ++i) {
    campaign.add(candidate(i, static_cast<std::int64_t>(i), times[i]));
  }
  EXPECT_THAT(ids(campaign.round()->runs), ElementsAre(1, 3, 2));
  EXPECT_THAT(ids(campaign.round()->runs), ElementsAre(4));
  EXPECT_EQ(campaign.runs_left(), 0U);
  EXPECT_THAT(campaign.round()->runs, IsEmpty());
  EXPECT_EQ(campaign.best()->id, 1U);
}

TEST(Campaign, MeasuresOneOfTheCandidatesThatAreTheSameMachineCode) {
  Campaign campaign({.silicon_budget = 9, .batch = 9}, std::nullopt, {},
                    [](const auto& c) { return ran(c.sim_ms); });
  for (std::uint64_t i = 0; i < 4; ++i) {
    LadderCandidate c = candidate(i, static_cast<std::int64_t>(i), 1.0 + 0.1 * (i / 2));
    c.code = i / 2 == 0 ? "a" : "b";
    campaign.add(c);
  }
  EXPECT_THAT(ids(campaign.round()->runs), ElementsAre(0, 2));
}

/// The simulator takes candidates of y = 255 for 2 % faster; on silicon they are 8 % slower.
double silicon_of(const LadderCandidate& c) {
  const bool misjudged = std::get<std::int64_t>(*c.configuration().find("y")) == 255;
  return c.sim_ms * (misjudged ? 1.1 : 1.0);
}

TEST(Campaign, LearnsFromABatchWhatTheSimulatorGetsWrong) {
  const auto measure = [](const auto& c) { return ran(silicon_of(c)); };
  Campaign with_gap({.silicon_budget = 8, .batch = 2}, GapModel::fit({}), {}, measure);
  Campaign without({.silicon_budget = 8, .batch = 2}, std::nullopt, {}, measure);
  for (std::uint64_t i = 0; i < 24; ++i) {
    const bool misjudged = i % 2 == 1;
    const auto x = static_cast<std::int64_t>(i / 2);
    const double sim_ms = (misjudged ? 0.98 : 1.0) * (1.0 + 0.001 * static_cast<double>(x));
    for (Campaign* campaign : {&with_gap, &without}) {
      campaign->add(candidate(i, x, sim_ms, misjudged ? 255 : 0));
    }
  }
  for (int batch = 0; batch < 4; ++batch) {
    (void)with_gap.round();
    (void)without.round();
  }
  EXPECT_EQ(with_gap.best()->id, 0U) << "the best of those that are not misjudged";
  EXPECT_EQ(without.best()->id, 1U) << "it only walks down the simulator's list";
}

TEST(Campaign, StopsWhenNothingIsExpectedToGainMoreThanTheNoise) {
  Campaign campaign({.silicon_budget = 10, .batch = 3}, GapModel::fit({}), {},
                    [](const auto& c) { return ran(c.sim_ms); });
  campaign.add(candidate(0, 1, 1.0));
  campaign.add(candidate(1, 2, 50.0));
  const auto first = campaign.round();
  EXPECT_THAT(ids(first->runs), ElementsAre(0)) << "nobody measures what is 50 times slower";
  EXPECT_THAT(campaign.round()->runs, IsEmpty());
  EXPECT_EQ(campaign.runs_left(), 9U);
}

TEST(Campaign, ACandidateThatFailsOnARungIsNotMeasuredAndOneThatWasNotThereClimbsFirst) {
  std::vector<std::uint64_t> climbed;
  const LadderRung rung{"robust", 1, 4.0, [&](const auto& candidates) {
                          std::vector<RungOutcome> outcomes;
                          for (const auto* c : candidates) {
                            climbed.push_back(c->id);
                            outcomes.push_back({c->id == 0 ? "deadlock: draw 2" : "", 0.0, 0.0});
                          }
                          return std::optional(outcomes);
                        }};
  Campaign campaign({.silicon_budget = 2, .batch = 2}, std::nullopt, {rung},
                    [](const auto& c) { return ran(c.sim_ms); });
  for (std::uint64_t i = 0; i < 4; ++i) {
    campaign.add(candidate(i, static_cast<std::int64_t>(i), 1.0 + 0.1 * static_cast<double>(i)));
  }
  const auto round = campaign.round();
  EXPECT_THAT(ids(round->runs), ElementsAre(1, 2));
  EXPECT_THAT(climbed, ElementsAre(0, 1, 2)) << "one place by rank, then those to be measured";
  EXPECT_THAT(round->promoted, ElementsAre(1));
}

TEST(Campaign, AFailureOnSiliconCostsItsRunAndTeachesNothing) {
  Campaign campaign({.silicon_budget = 2, .batch = 1}, GapModel::fit({}), {}, [](const auto& c) {
    SiliconRun run = ran(c.sim_ms);
    run.problem = c.id == 0 ? "launch_invalid: too many registers" : "";
    return std::optional(run);
  });
  campaign.add(candidate(0, 1, 1.0));
  campaign.add(candidate(1, 2, 1.1));
  (void)campaign.round();
  EXPECT_EQ(campaign.best(), nullptr);
  EXPECT_THAT(campaign.gap()->observations(), IsEmpty());
  (void)campaign.round();
  EXPECT_EQ(campaign.best()->id, 1U);
  EXPECT_EQ(campaign.gap()->observations().size(), 1U);
}

TEST(Campaign, AnInterruptedRungOrMeasurementEndsTheRoundWithNothing) {
  Campaign measuring({}, std::nullopt, {},
                     [](const auto&) -> std::optional<SiliconRun> { return std::nullopt; });
  measuring.add(candidate(0, 1, 1.0));
  EXPECT_FALSE(measuring.round());
  const LadderRung rung{"robust", 1, 1.0,
                        [](const auto&) { return std::optional<std::vector<RungOutcome>>(); }};
  Campaign climbing({}, std::nullopt, {rung}, [](const auto&) -> std::optional<SiliconRun> {
    ADD_FAILURE() << "measured after an interruption";
    return std::nullopt;
  });
  climbing.add(candidate(0, 1, 1.0));
  EXPECT_FALSE(climbing.round());
}

TEST(RankAgreement, ComparesTheFirstRungWithEachOtherAndAllWithSilicon) {
  const LadderRung rung{"robust", 4, 1.0, [](const auto& candidates) {
                          std::vector<RungOutcome> outcomes;
                          for (const auto* c : candidates) { // turns the order around
                            outcomes.push_back({"", -2.0 * std::log(c->sim_ms), 0.0});
                          }
                          return std::optional(outcomes);
                        }};
  Campaign campaign({.silicon_budget = 4, .batch = 4}, std::nullopt, {rung},
                    [](const auto& c) { return ran(10.0 * c.sim_ms); });
  for (std::uint64_t i = 0; i < 4; ++i) {
    campaign.add(candidate(i, static_cast<std::int64_t>(i), 1.0 + static_cast<double>(i)));
  }
  (void)campaign.round();
  const auto all = rank_agreements(campaign, "sampled");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].upper, "robust");
  EXPECT_EQ(all[0].n, 4U);
  EXPECT_DOUBLE_EQ(*all[0].spearman, -1.0);
  EXPECT_NEAR(*all[0].top_regret, 3.0, 1e-12) << "its favourite is the robust rung's last";
  EXPECT_EQ(all[1].lower + " " + all[1].upper, "sampled silicon");
  EXPECT_DOUBLE_EQ(*all[1].spearman, 1.0);
  EXPECT_EQ(all[2].lower, "robust");
  EXPECT_DOUBLE_EQ(*all[2].spearman, -1.0);
  EXPECT_EQ(all[3].lower, "expected");
}

} // namespace
} // namespace coulomb::calibration
