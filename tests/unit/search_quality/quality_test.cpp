// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/search_quality/quality.hpp"

#include "search/driver/strategy_catalogue.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace coulomb::bench {
namespace {

constexpr const char* kConvolution = "bat_convolution/bat_convolution_RTX-3090";

Quality quality_of(const RecordedSpace& recorded, const char* name, std::size_t seeds) {
  const auto make = search::find_strategy(name).make;
  return measure_quality(
      recorded,
      [make](const search::SearchSpace& space, std::uint64_t seed) {
        return make(space, {.seed = seed, .lookahead = 1});
      },
      seeds, 150, 2);
}

// What was computed for the same recordings elsewhere (data/search/README.md).
TEST(SearchQuality, EndsTheScoreWhereThePublishedMethodDoes) {
  EXPECT_EQ(budget_end(load_recorded_space("convolution/convolution_A100-PCIE-40GB")), 1050U);
  EXPECT_EQ(budget_end(load_recorded_space("convolution/convolution_RTX-A4000_2023-12")), 323U);
  EXPECT_EQ(budget_end(load_recorded_space("dedispersion/dedispersion_A100-PCIE-40GB")), 795U);
}

TEST(SearchQuality, TheRandomCurveEndsAtTheOptimum) {
  const RecordedSpace recorded = load_recorded_space(kConvolution);
  const auto curve = random_curve(recorded, recorded.space.size());
  double mean = 0.0;
  for (const double value : recorded.valid) {
    mean += value / static_cast<double>(recorded.valid.size());
  }
  EXPECT_NEAR(curve[1], mean, 1e-9 * mean) << "one draw is the average";
  EXPECT_NEAR(curve.back(), recorded.optimum(), 1e-12);
  EXPECT_TRUE(std::is_sorted(curve.rbegin(), curve.rend() - 1));
}

TEST(SearchQuality, RandomSearchScoresNothing) {
  const RecordedSpace recorded = load_recorded_space(kConvolution);
  EXPECT_NEAR(quality_of(recorded, "random", 400).score(), 0.0, 0.08);
}

TEST(SearchQuality, TheDefaultStrategyIsFarAheadOfRandomSearch) {
  const RecordedSpace recorded = load_recorded_space(kConvolution);
  const Quality quality = quality_of(recorded, "ga", 10);
  EXPECT_GT(quality.score(), 0.55);
  EXPECT_EQ(quality.reached(1), 1.0) << "every seed comes within 5 % in 150 evaluations";
}

TEST(SearchQuality, AStrategyDoesNotDifferFromItself) {
  const RecordedSpace recorded = load_recorded_space(kConvolution);
  const std::vector<Quality> random = {quality_of(recorded, "random", 20)};
  const Paired same = paired_difference(random, random);
  EXPECT_EQ(same.score, 0.0);
  EXPECT_EQ(same.score_error, 0.0);
  EXPECT_EQ(same.seconds_ratio, 1.0);
  const Paired better = paired_difference({quality_of(recorded, "ga", 20)}, random);
  EXPECT_GT(better.score, 3.0 * better.score_error);
  EXPECT_LT(better.seconds_ratio, 0.6) << "and it needs fewer seconds";
}

} // namespace
} // namespace coulomb::bench
