// SPDX-License-Identifier: Apache-2.0
#include "calibration/gap/explanation.hpp"

#include <gtest/gtest.h>

#include "synthetic.hpp"

#include <numeric>

namespace coulomb::calibration {
namespace {

constexpr GapSettings kQuick{.iterations = 20, .fitted_points = 120, .model_hash = {}};

class GapExplanationOfALaw : public testing::Test {
protected:
  std::vector<Observation> all_ = synthetic::observations(100, "a", "one", synthetic::law);
  GapModel model_ = GapModel::fit(all_, kQuick);
};

TEST_F(GapExplanationOfALaw, PartsSumUpToThePrediction) {
  const GapExplanation e = explain(model_, query_of(all_[3]));
  ASSERT_EQ(e.parts.size(), kGapParts.size());
  EXPECT_NEAR(std::accumulate(e.parts.begin(), e.parts.end(), 0.0), e.prediction.log_ratio, 1e-10);
  // One query and a batch are summed in another order.
  EXPECT_NEAR(e.prediction.log_ratio, model_.predict(query_of(all_[3])).log_ratio, 1e-10);
}

TEST_F(GapExplanationOfALaw, NamesTheFeaturesThatTheLawHas) {
  GapQuery query = query_of(all_[3]);
  query.features[synthetic::position("stall_long_scoreboard_share")] = 0.95;
  query.features[synthetic::position("bank_conflict_share")] = 0.5;
  const GapExplanation e = explain(model_, query);
  ASSERT_EQ(e.effects.size(), gap_inputs().size());
  EXPECT_EQ(e.effects[0].feature, "stall_long_scoreboard_share");
  EXPECT_EQ(e.effects[0].value, 0.95);
  EXPECT_NEAR(e.effects[0].effect, 0.4 * 0.45, 0.06); // the law's slope times the offset
  EXPECT_EQ(e.effects.back().effect, 0.0);            // unknown features have none
}

TEST_F(GapExplanationOfALaw, NamesTheNearestObservations) {
  const GapExplanation e = explain(model_, query_of(all_[42]), 3);
  ASSERT_EQ(e.neighbours.size(), 3U);
  EXPECT_EQ(e.neighbours[0].observation, 42U);
  EXPECT_NEAR(e.neighbours[0].distance, e.prediction.distance, 1e-9);
  EXPECT_LE(e.neighbours[1].distance, e.neighbours[2].distance);
}

TEST_F(GapExplanationOfALaw, SummaryRanksTheFeaturesByInfluence) {
  const GapSummary summary = summarize(model_);
  ASSERT_EQ(summary.groups.size(), 1U);
  EXPECT_EQ(summary.groups[0].board, "a");
  EXPECT_EQ(summary.groups[0].spec, "one");
  EXPECT_EQ(summary.groups[0].n, 100U);
  EXPECT_EQ(summary.groups[0].outliers, 0U);
  EXPECT_NEAR(summary.groups[0].bias, 0.15, 0.05); // the law's mean
  EXPECT_EQ(summary.influences[0].feature, "stall_long_scoreboard_share");
  EXPECT_EQ(summary.influences[1].feature, "bank_conflict_share");
  EXPECT_NEAR(summary.influences[0].mean_effect, 0.4 * 0.25, 0.04); // mean |share - 1/2| is 1/4
}

} // namespace
} // namespace coulomb::calibration
