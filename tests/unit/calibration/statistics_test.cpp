// SPDX-License-Identifier: Apache-2.0
#include "calibration/statistics.hpp"

#include <cmath>
#include <gmock/gmock.h>

namespace coulomb::calibration {
namespace {

using ::testing::ElementsAre;
using Values = std::vector<double>;

TEST(Statistics, SignedErrorsAreRelativeToSilicon) {
  EXPECT_THAT(signed_errors(Values{1.0, 2.0, 4.0}, Values{1.5, 1.0, 4.0}),
              ElementsAre(0.5, -0.5, 0.0));
}

TEST(Statistics, QuantileInterpolatesBetweenOrderStatistics) {
  EXPECT_EQ(quantile({4.0, 1.0, 3.0, 2.0}, 0.5), 2.5);
  EXPECT_EQ(quantile({4.0, 1.0, 3.0, 2.0}, 0.0), 1.0);
  EXPECT_EQ(quantile({4.0, 1.0, 3.0, 2.0}, 1.0), 4.0);
  EXPECT_DOUBLE_EQ(*quantile({4.0, 1.0, 3.0, 2.0}, 0.9), 3.7);
  EXPECT_EQ(quantile({7.0}, 0.9), 7.0);
  EXPECT_EQ(quantile({}, 0.5), std::nullopt);
}

TEST(Statistics, SummarizesErrorsByHandComputedValues) {
  // Errors: +0.1, -0.2, +0.3, 0, -0.5.
  const auto s = summarize_errors(Values{10, 10, 10, 10, 10}, Values{11, 8, 13, 10, 5});
  EXPECT_DOUBLE_EQ(*s.mape, 0.22);
  EXPECT_DOUBLE_EQ(*s.median_ape, 0.2);
  EXPECT_DOUBLE_EQ(*s.p90_ape, 0.42); // 0.3 + 0.6 * 0.2
  EXPECT_DOUBLE_EQ(*s.bias, -0.06);
  EXPECT_DOUBLE_EQ(*s.p10_error, -0.38); // -0.5 + 0.4 * 0.3
  EXPECT_DOUBLE_EQ(*s.p90_error, 0.22);  // 0.1 + 0.6 * 0.2
}

TEST(Statistics, ScaleFreeErrorDividesOutTheMedianRatio) {
  // Ratios silicon / sim: 2, 2, 4. Scaled simulation: 2, 4, 4.
  const auto s = scale_free(Values{2, 4, 8}, Values{1, 2, 2});
  EXPECT_EQ(s.factor, 2.0);
  EXPECT_DOUBLE_EQ(*s.mape, 0.5 / 3);
  EXPECT_EQ(s.median_ape, 0.0);
}

TEST(Statistics, ScaleFreeErrorIsZeroForAPureScale) {
  const auto s = scale_free(Values{1, 2, 4, 8}, Values{0.5, 1, 2, 4});
  EXPECT_EQ(s.factor, 2.0);
  EXPECT_EQ(s.mape, 0.0);
}

TEST(Statistics, AverageRanksShareTies) {
  EXPECT_THAT(average_ranks(Values{10, 20, 10, 30, 20, 20}), ElementsAre(1.5, 4, 1.5, 6, 4, 4));
}

TEST(Statistics, SpearmanOfMonotonicDataIsOneWhateverTheScale) {
  EXPECT_DOUBLE_EQ(*spearman(Values{1, 2, 3, 4}, Values{1, 10, 100, 1000}), 1.0);
  EXPECT_DOUBLE_EQ(*spearman(Values{1, 2, 3, 4}, Values{9, 8, 7, 1}), -1.0);
}

TEST(Statistics, SpearmanWithoutTiesMatchesTheHandComputedValue) {
  // Rank differences 0, 1, -1, 1, -1: 1 - 6 * 4 / (5 * 24) = 0.8.
  EXPECT_DOUBLE_EQ(*spearman(Values{1, 2, 3, 4, 5}, Values{1, 3, 2, 5, 4}), 0.8);
}

TEST(Statistics, SpearmanWithTiesMatchesTheHandComputedValue) {
  // Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5).
  EXPECT_DOUBLE_EQ(*spearman(Values{1, 2, 2, 3}, Values{1, 2, 3, 4}), 4.5 / std::sqrt(22.5));
}

TEST(Statistics, KendallWithoutTiesMatchesTheHandComputedValue) {
  // 2 of 10 pairs are discordant.
  EXPECT_DOUBLE_EQ(*kendall_tau_b(Values{1, 2, 3, 4, 5}, Values{1, 3, 2, 5, 4}), 0.6);
}

TEST(Statistics, KendallTauBCorrectsForTies) {
  // 5 concordant pairs, 1 tied in a, none in b: 5 / sqrt(5 * 6).
  EXPECT_DOUBLE_EQ(*kendall_tau_b(Values{1, 2, 2, 3}, Values{1, 2, 3, 4}), 5 / std::sqrt(30.0));
  // Tied in both: (1,1) twice; 2 concordant of the other 2, untied 2 and 2.
  EXPECT_DOUBLE_EQ(*kendall_tau_b(Values{1, 1, 2}, Values{1, 1, 2}), 1.0);
}

TEST(Statistics, RankFiguresAreAbsentWithoutSpread) {
  EXPECT_EQ(spearman(Values{1, 1, 1}, Values{1, 2, 3}), std::nullopt);
  EXPECT_EQ(kendall_tau_b(Values{1, 2, 3}, Values{5, 5, 5}), std::nullopt);
}

TEST(Statistics, BestFivePerCentTakesAtLeastFiveRows) {
  // The five fastest are ranked in reverse, all others right.
  const Values silicon{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const Values sim{5, 4, 3, 2, 1, 6, 7, 8, 9, 10};
  EXPECT_DOUBLE_EQ(*spearman_best5pct(silicon, sim), -1.0);
  EXPECT_EQ(spearman_best5pct(Values{1, 2, 3, 4}, Values{1, 2, 3, 4}), std::nullopt);
}

TEST(Statistics, BestFivePerCentGrowsWithTheSample) {
  Values silicon;
  Values sim;
  for (int i = 0; i < 121; ++i) { // 7 rows: 5 % of 121, rounded up
    silicon.push_back(i + 1);
    sim.push_back(i < 7 ? 7 - i : i + 1);
  }
  EXPECT_DOUBLE_EQ(*spearman_best5pct(silicon, sim), -1.0);
  sim[6] = 100; // the seventh row counts: ranks 6 5 4 3 2 1 7 against 1..7
  EXPECT_DOUBLE_EQ(*spearman_best5pct(silicon, sim), 1.0 - 6.0 * 70.0 / (7.0 * 48.0));
}

TEST(Statistics, RegretComparesTheBestOfTheTopKWithTheBestOfAll) {
  const Values silicon{4, 2, 1, 3};
  const Values sim{1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(*top_k_regret(silicon, sim, 1, 1.0), 3.0);
  EXPECT_DOUBLE_EQ(*top_k_regret(silicon, sim, 2, 1.0), 1.0);
  EXPECT_DOUBLE_EQ(*top_k_regret(silicon, sim, 3, 1.0), 0.0);
  EXPECT_DOUBLE_EQ(*top_k_regret(silicon, sim, 50, 1.0), 0.0);
  // The best of all was not timed by the simulator.
  EXPECT_DOUBLE_EQ(*top_k_regret(silicon, sim, 4, 0.5), 1.0);
}

TEST(Statistics, RegretTakesTheEarlierOfEqualSimulatedTimes) {
  EXPECT_DOUBLE_EQ(*top_k_regret(Values{2, 1}, Values{5, 5}, 1, 1.0), 1.0);
}

TEST(Statistics, NothingIsDefinedForNoRows) {
  const Values none;
  const auto s = summarize_errors(none, none);
  EXPECT_EQ(s.mape, std::nullopt);
  EXPECT_EQ(s.median_ape, std::nullopt);
  EXPECT_EQ(s.p90_ape, std::nullopt);
  EXPECT_EQ(s.bias, std::nullopt);
  EXPECT_EQ(scale_free(none, none).factor, std::nullopt);
  EXPECT_EQ(spearman(none, none), std::nullopt);
  EXPECT_EQ(kendall_tau_b(none, none), std::nullopt);
  EXPECT_EQ(top_k_regret(none, none, 1, 1.0), std::nullopt);
}

TEST(Statistics, OneRowHasErrorsButNoRanks) {
  const auto s = summarize_errors(Values{2}, Values{3});
  EXPECT_EQ(s.mape, 0.5);
  EXPECT_EQ(s.bias, 0.5);
  EXPECT_EQ(scale_free(Values{2}, Values{4}).factor, 0.5);
  EXPECT_EQ(scale_free(Values{2}, Values{4}).mape, 0.0);
  EXPECT_EQ(spearman(Values{2}, Values{3}), std::nullopt);
  EXPECT_EQ(kendall_tau_b(Values{2}, Values{3}), std::nullopt);
  EXPECT_EQ(top_k_regret(Values{2}, Values{3}, 1, 2.0), 0.0);
}

} // namespace
} // namespace coulomb::calibration
