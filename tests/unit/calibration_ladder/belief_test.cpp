// SPDX-License-Identifier: Apache-2.0
#include "calibration/ladder/belief.hpp"

#include "tests/unit/calibration_ladder/synthetic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::calibration {
namespace {

using synthetic::candidate;
using testing::ElementsAre;

/// phi(z) + z Phi(z) by its definition as an integral: the mean of max(z + u, 0), u normal.
double unit_improvement(double z) {
  double sum = 0.0;
  constexpr double kStep = 1e-3;
  for (double u = -9.0; u < 9.0; u += kStep) {
    sum += std::max(z + u, 0.0) * std::exp(-0.5 * u * u) / std::sqrt(2.0 * M_PI) * kStep;
  }
  return sum;
}

TEST(ExpectedImprovement, IsTheMeanOfWhatALogNormalTimeIsBelowTheBest) {
  for (const double gain : {-0.2, -0.03, 0.0, 0.05}) {
    const Belief belief{.log_ms = -gain, .deviation = 0.1};
    EXPECT_NEAR(expected_improvement(belief, 0.0), 0.1 * unit_improvement(gain / 0.1), 1e-6);
  }
}

TEST(ExpectedImprovement, OfACertainTimeIsThePlainGain) {
  EXPECT_EQ(expected_improvement({.log_ms = 1.0}, 1.25), 0.25);
  EXPECT_EQ(expected_improvement({.log_ms = 1.0}, 0.5), 0.0);
}

TEST(Beliefs, WhoWasNotOnARungIsTakenForTheMedianOfThoseWhoWereWithTheirSpread) {
  std::vector<LadderCandidate> all = {candidate(0, 1, 1.0), candidate(1, 2, 1.0),
                                      candidate(2, 3, 1.0), candidate(3, 4, 2.0)};
  for (auto& c : all) {
    c.rungs.resize(1);
  }
  all[0].rungs[0] = RungOutcome{"", 0.1, 0.01};
  all[1].rungs[0] = RungOutcome{"", 0.2, 0.02};
  all[2].rungs[0] = RungOutcome{"", 0.6, 0.03};
  const auto believed = beliefs(all, nullptr);
  EXPECT_DOUBLE_EQ(believed[0].log_ms, 0.1);
  EXPECT_DOUBLE_EQ(believed[2].deviation, 0.03);
  EXPECT_DOUBLE_EQ(believed[3].log_ms, std::log(2.0) + 0.2);
  EXPECT_NEAR(believed[3].deviation, std::sqrt((0.01 + 0.0 + 0.16) / 3.0), 1e-12);
}

TEST(Ranking, UncertaintyCountsForSlowerAndEqualCodeIsRankedOnce) {
  std::vector<LadderCandidate> all = {candidate(0, 1, 1.0), candidate(1, 2, 1.0),
                                      candidate(2, 3, 1.0), candidate(3, 4, 1.0)};
  all[1].code = all[3].code = "same";
  all[2].rungs = {RungOutcome{"deadlock: draw 3", 0.0, 0.0}};
  const std::vector<Belief> believed = {
      {.log_ms = 0.0, .deviation = 0.5}, {.log_ms = 0.2}, {.log_ms = 0.0}, {.log_ms = 0.1}};
  EXPECT_THAT(ranked(all, believed, 0.0), ElementsAre(0, 1)) << "3 is 1's code, 2 failed";
  EXPECT_THAT(ranked(all, believed, 1.0), ElementsAre(1, 0));
}

TEST(Promotion, HalfOfThePlacesGoToCandidatesThatAreNotNeighboursOfBetterOnes) {
  std::vector<LadderCandidate> all;
  for (std::int64_t x = 0; x < 6; ++x) { // 0 to 4 differ in x alone, 5 in both
    all.push_back(candidate(static_cast<std::uint64_t>(x), x, 1.0, x == 5 ? 1 : 0));
  }
  const std::vector<std::size_t> order = {0, 1, 2, 3, 4, 5};
  EXPECT_THAT(promote(all, order, 4), ElementsAre(0, 1, 2, 5));
  EXPECT_THAT(promote(all, order, 1), ElementsAre(0));
  EXPECT_THAT(promote(all, order, 9), ElementsAre(0, 1, 2, 3, 4, 5));
}

} // namespace
} // namespace coulomb::calibration
