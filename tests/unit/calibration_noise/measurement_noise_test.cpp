// SPDX-License-Identifier: Apache-2.0
#include "calibration/noise/measurement_noise.hpp"

#include "calibration/noise/jitter.hpp"
#include "calibration/statistics.hpp"

#include <cmath>
#include <gmock/gmock.h>

namespace coulomb::calibration {
namespace {

using ::testing::Each;

std::vector<double>
drawn(const NoiseParameters& p, double ms, std::size_t n, std::uint64_t index = 0) {
  RandomStream random(7, "test", index);
  return MeasurementNoise(p).samples(ms, n, random);
}

TEST(MeasurementNoise, OfNoParameterTellsTheTrueTime) {
  EXPECT_THAT(drawn({}, 2.5, 8), Each(2.5));
}

TEST(MeasurementNoise, IsTheSameForTheSameStreamAndOtherwiseAnother) {
  NoiseParameters p;
  p.core_ms = 0.01;
  EXPECT_EQ(drawn(p, 2.5, 8, 1), drawn(p, 2.5, 8, 1));
  EXPECT_NE(drawn(p, 2.5, 8, 1), drawn(p, 2.5, 8, 2));
}

TEST(MeasurementNoise, AddsTheFirstExcessWhateverTheTimeAndCarriesItsShare) {
  NoiseParameters p;
  p.first_excess_ms = 0.1;
  p.excess_carry = 0.05;
  for (const double ms : {1.0, 80.0}) {
    const auto t = drawn(p, ms, 3);
    EXPECT_NEAR(t[0] - ms, 0.1, 1e-12);
    EXPECT_NEAR(t[1] - ms, 0.005, 1e-12);
    EXPECT_NEAR(t[2] - ms, 0.00025, 1e-12);
  }
}

TEST(MeasurementNoise, ReportsMultiplesOfTheTimerStepAndAtLeastOne) {
  NoiseParameters p;
  p.quantum_ms = 0.5;
  p.core_ms = 0.4;
  for (const double t : drawn(p, 3.1, 200)) {
    EXPECT_DOUBLE_EQ(t, 0.5 * std::round(t / 0.5));
    EXPECT_GE(t, 0.5);
  }
  EXPECT_THAT(drawn({.quantum_ms = 0.5}, 0.01, 4), Each(0.5));
}

TEST(MeasurementNoise, ScalesItsCoreAsTheRootOfBothPartsSquared) {
  NoiseParameters p;
  p.core_ms = 0.03;
  p.core_relative = 0.004;
  const auto t = drawn(p, 10.0, 20000); // hypot(0.03, 0.04) = 0.05
  const double m = mean(t).value();
  double sum = 0.0;
  for (const double x : t) {
    sum += (x - m) * (x - m);
  }
  EXPECT_NEAR(m, 10.0, 0.002);
  EXPECT_NEAR(std::sqrt(sum / 20000.0), 0.05, 0.001);
}

TEST(MeasurementNoise, SkewsToTheRightAroundTheSameMedian) {
  NoiseParameters p;
  p.core_ms = 0.1;
  p.skew = 0.5;
  const auto t = drawn(p, 10.0, 40000);
  // Quantiles of Tukey's g-distribution: (exp(g z) - 1) / g at z = -1.645, 0, 1.645.
  EXPECT_NEAR(quantile(t, 0.5).value(), 10.0, 0.003);
  EXPECT_NEAR(quantile(t, 0.05).value(), 10.0 + 0.1 * (std::exp(-0.8224) - 1.0) / 0.5, 0.003);
  EXPECT_NEAR(quantile(t, 0.95).value(), 10.0 + 0.1 * (std::exp(0.8224) - 1.0) / 0.5, 0.008);
}

TEST(MeasurementNoise, CorrelatesSuccessiveLaunches) {
  NoiseParameters p;
  p.core_ms = 0.1;
  p.autocorrelation = 0.6;
  EXPECT_NEAR(lag1_autocorrelation(drawn(p, 10.0, 40000)).value(), 0.6, 0.02);
}

TEST(MeasurementNoise, KeepsAClockStateForAllOfAConfiguration) {
  NoiseParameters p;
  p.clock_probability = 1.0;
  p.clock_factor = 0.5;
  std::vector<double> logs;
  for (std::uint64_t c = 0; c < 4000; ++c) {
    const auto t = drawn(p, 1.0, 4, c);
    EXPECT_THAT(t, Each(t[0]));
    EXPECT_TRUE(t[0] > 0.5 && t[0] <= 1.0) << t[0];
    logs.push_back(std::log(t[0]));
  }
  EXPECT_NEAR(mean(logs).value(), std::log(0.5) / 2.0, 0.01); // log-uniform
}

TEST(MeasurementNoise, StepsOnceBetweenTwoLaunchesAsOftenAsStated) {
  NoiseParameters p;
  p.step_probability = 0.25;
  p.clock_factor = 0.5;
  int stepped = 0;
  for (std::uint64_t c = 0; c < 4000; ++c) {
    const auto t = drawn(p, 1.0, 10, c);
    int changes = 0;
    for (std::size_t j = 1; j < t.size(); ++j) {
      changes += t[j] != t[j - 1] ? 1 : 0;
    }
    EXPECT_LE(changes, 1);
    EXPECT_EQ(t[0], 1.0);
    stepped += changes;
  }
  EXPECT_NEAR(stepped / 4000.0, 0.25, 0.02);
}

TEST(MeasurementNoise, LeavesTheClockAloneWhereItIsKnownToBeAsStated) {
  NoiseParameters p;
  p.clock_probability = 1.0;
  p.step_probability = 1.0;
  p.clock_factor = 0.5;
  RandomStream random(7, "test");
  EXPECT_THAT(MeasurementNoise(p).samples(2.0, 10, random, ClockState::stated), Each(2.0));
}

TEST(NoiseFields, NameEveryParameterOnceAndAreNoMoreThanTwelve) {
  NoiseParameters p;
  for (const NoiseField& f : noise_fields()) {
    p.*f.member = 77.0;
    EXPECT_FALSE(f.how.empty()) << f.key;
  }
  EXPECT_EQ(p, (NoiseParameters{77, 77, 77, 77, 77, 77, 77, 77, 77, 77, 77, 77}));
  EXPECT_EQ(sizeof(NoiseParameters), noise_fields().size() * sizeof(double));
  EXPECT_LE(noise_fields().size(), 12u);
}

} // namespace
} // namespace coulomb::calibration
