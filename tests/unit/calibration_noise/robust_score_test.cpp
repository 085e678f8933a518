// SPDX-License-Identifier: Apache-2.0
#include "calibration/noise/robust_score.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>

namespace coulomb::calibration {
namespace {

using eval::EvalStatus;
using ::testing::HasSubstr;

std::vector<DrawOutcome> costs(const std::vector<double>& values) {
  std::vector<DrawOutcome> draws;
  for (const double v : values) {
    draws.push_back({EvalStatus::ok, v});
  }
  return draws;
}

double score(const std::vector<double>& values, RobustScore kind, double alpha = 0.25) {
  return robust_score(costs(values), kind, alpha).score.value();
}

TEST(RobustScoreOf, GivesMeanAndWorst) {
  EXPECT_DOUBLE_EQ(score({1, 2, 6, 3}, RobustScore::mean), 3.0);
  EXPECT_DOUBLE_EQ(score({1, 2, 6, 3}, RobustScore::worst), 6.0);
  EXPECT_DOUBLE_EQ(score({-5, -2}, RobustScore::worst), -2.0);
}

TEST(RobustScoreOf, GivesTheMeanOfTheWorstShare) {
  const std::vector<double> eight{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_DOUBLE_EQ(score(eight, RobustScore::cvar, 0.25), 7.5);
  EXPECT_DOUBLE_EQ(score(eight, RobustScore::cvar, 0.5), 6.5);
}

TEST(RobustScoreOf, WeighsTheDrawThatTheShareEndsIn) {
  // 1.6 of 8 draws: all of 8 and 0.6 of 7.
  EXPECT_DOUBLE_EQ(score({1, 2, 3, 4, 5, 6, 7, 8}, RobustScore::cvar, 0.2),
                   (8.0 + 0.6 * 7.0) / 1.6);
}

TEST(RobustScoreOf, JoinsMeanAndWorstAtTheEndsOfTheShare) {
  EXPECT_DOUBLE_EQ(score({1, 2, 6}, RobustScore::cvar, 1.0), 3.0);
  EXPECT_DOUBLE_EQ(score({1, 2, 6}, RobustScore::cvar, 0.01), 6.0);
}

TEST(RobustScoreOf, FailsWithTheFirstDrawThatFailed) {
  auto draws = costs({1, 2, 3});
  draws[1].status = EvalStatus::deadlock;
  draws[2].status = EvalStatus::timeout;
  const RobustOutcome outcome = robust_score(draws, RobustScore::mean, 0.25);
  EXPECT_EQ(outcome.status, EvalStatus::deadlock);
  EXPECT_EQ(outcome.score, std::nullopt);
}

TEST(RobustScoreOf, RefusesAShareThatIsNone) {
  for (const double alpha : {0.0, -1.0, 1.5}) {
    try {
      static_cast<void>(robust_score(costs({1}), RobustScore::cvar, alpha));
      ADD_FAILURE() << alpha;
    } catch (const UserError& e) {
      EXPECT_THAT(e.what(), HasSubstr("allowed: above 0, at most 1"));
    }
  }
}

TEST(RobustScoreOf, ReadsTheWordsThatItWrites) {
  for (const auto kind : {RobustScore::mean, RobustScore::cvar, RobustScore::worst}) {
    EXPECT_EQ(robust_score_from_string(std::string(to_string(kind))), kind);
  }
  try {
    static_cast<void>(robust_score_from_string("wurst"));
    ADD_FAILURE();
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(), "no robust score \"wurst\" (did you mean \"worst\"?); there are: mean, "
                           "cvar, worst");
  }
}

} // namespace
} // namespace coulomb::calibration
