// SPDX-License-Identifier: Apache-2.0
#include "calibration/noise/jitter.hpp"

#include <gmock/gmock.h>

namespace coulomb::calibration {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using Steps = std::vector<std::int32_t>;

TEST(KsDistance, IsTheLargestDifferenceOfTheStepFunctions) {
  // By hand: after 2 it is 2/3 against 1/4, after 4 it is 1 against 3/4.
  EXPECT_DOUBLE_EQ(ks_distance(Steps{1, 2, 4}, Steps{2, 3, 4, 5}), 2.0 / 3.0 - 1.0 / 4.0);
}

TEST(KsDistance, LooksAtTiesOnlyOnceAllAreCounted) {
  EXPECT_DOUBLE_EQ(ks_distance(Steps{0, 0, 0, 0}, Steps{0, 0}), 0.0);
  // A walk that looked within the ties would see 3/4 against 0.
  EXPECT_DOUBLE_EQ(ks_distance(Steps{0, 0, 0, 1}, Steps{0, 1, 1, 1}), 0.5);
}

TEST(KsDistance, IsOneWhereNothingOverlapsAndSymmetric) {
  EXPECT_DOUBLE_EQ(ks_distance(Steps{1, 2}, Steps{5}), 1.0);
  EXPECT_DOUBLE_EQ(ks_distance(Steps{5}, Steps{1, 2}), 1.0);
}

TEST(Lag1Autocorrelation, MatchesTheSumByHand) {
  // Deviations -1, 1, -1, 1: three products of -1 over a sum of squares of 4.
  EXPECT_THAT(lag1_autocorrelation(std::vector{1.0, 3.0, 1.0, 3.0}).value(), DoubleEq(-0.75));
  EXPECT_EQ(lag1_autocorrelation(std::vector{2.0, 2.0, 2.0}), std::nullopt);
}

TEST(JitterOf, TakesDeviationsFromTheMedianOfTheLaterRunsInHalfSteps) {
  // In steps of 0.001: 110 | 10 12 11 11: median 11.
  const std::vector<Launches> one{{0.110, 0.010, 0.012, 0.011, 0.011}};
  const Jitter j = jitter_of(one, 0.001);
  EXPECT_THAT(j.residuals, ElementsAre(-2, 0, 0, 2));
  EXPECT_THAT(j.first_excess_ms, ElementsAre(DoubleNear(0.099, 1e-12)));
  EXPECT_THAT(j.medians_ms, ElementsAre(DoubleNear(0.011, 1e-12)));
}

TEST(JitterOf, KeepsAMedianBetweenTwoStepsExact) {
  const std::vector<Launches> one{{0.010, 0.010, 0.010, 0.011, 0.011}};
  EXPECT_THAT(jitter_of(one, 0.001).residuals, ElementsAre(-1, -1, 1, 1));
}

TEST(JitterOf, MakesTiesOfValuesThatSinglePrecisionBlurred) {
  const std::vector<Launches> one{{0.010, 0.010000004, 0.009999997, 0.010, 0.011000002}};
  EXPECT_THAT(jitter_of(one, 0.001).residuals, ElementsAre(0, 0, 0, 2));
}

TEST(TimerQuantum, IsFoundUnderTheBlurOfTheFormat) {
  std::vector<Launches> all;
  for (int c = 0; c < 40; ++c) {
    Launches l;
    for (int j = 0; j < 10; ++j) {
      // About 65 ms: single precision holds 4 ns of it.
      l.push_back(1.024e-3 * (63000 + 37 * c + (j * j) % 11) + 4e-6 * ((c + j) % 3 - 1));
    }
    all.push_back(l);
  }
  EXPECT_NEAR(timer_quantum_ms(all), 1.024e-3, 1e-12);
}

TEST(TimerQuantum, IsZeroIfTimesAreMultiplesOfNothing) {
  std::vector<Launches> all;
  for (int c = 0; c < 50; ++c) {
    all.push_back({1.0 + c * 0.012347, 1.0 + c * 0.000123, 1.0 + c * 0.004561, 2.0 + c * 0.007});
  }
  all.push_back({0.000007, 0.000011, 0.000013});
  EXPECT_EQ(timer_quantum_ms(all), 0.0);
}

TEST(LevelStep, IsTheRatioOfTheLevelsAndIgnoresTheFirstRun) {
  EXPECT_DOUBLE_EQ(level_step({9, 2, 2, 2, 2, 2, 1, 1, 1, 1}), 0.5);
  EXPECT_DOUBLE_EQ(level_step({9, 2, 2, 2, 2, 2, 2, 2, 2, 2}), 1.0);
  // One outlier is no level.
  EXPECT_DOUBLE_EQ(level_step({2, 2, 2, 2, 2, 7, 2, 2, 2, 2}), 1.0);
}

} // namespace
} // namespace coulomb::calibration
