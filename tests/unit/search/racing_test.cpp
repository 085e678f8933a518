// SPDX-License-Identifier: Apache-2.0
#include "base/random.hpp"
#include "search/halving/successive_halving.hpp"
#include "search/racing/race.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::search {
namespace {

using ::testing::ElementsAre;

/// About normal, mean 0, deviation 1: the sum of twelve even ones.
double deviate(std::uint64_t seed, const char* what, std::uint64_t index) {
  RandomStream random(seed, what, index);
  double sum = -6.0;
  for (int i = 0; i < 12; ++i) {
    sum += static_cast<double>(random.below(1U << 20U)) / double{1U << 20U};
  }
  return sum;
}

/// Candidate c truly takes truth[c]; a repetition is slow or fast for all (5 %), and each
/// measurement has an own error (1 %).
Sampler noisy(const std::vector<double>& truth, std::uint64_t seed) {
  return [=](std::size_t c, std::uint64_t repetition) {
    return std::optional(truth[c] * (1.0 + 0.05 * deviate(seed, "common", repetition) +
                                     0.01 * deviate(seed, "own", repetition * 1000 + c)));
  };
}

TEST(Race, FindsTheBestOfCandidatesThatOneMeasurementCannotTellApart) {
  const std::vector<double> truth = {1.10, 1.05, 1.00, 1.04, 1.20};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto outcome = race(truth.size(), noisy(truth, seed));
    ASSERT_EQ(outcome.winner, 2U) << "seed " << seed;
    EXPECT_LT(outcome.racers[4].samples, 10U) << "20 % worse is seen early";
    EXPECT_FALSE(outcome.racers[4].tied);
    EXPECT_LT(outcome.measurements, 5U * 32U / 2U) << "losers are dropped";
  }
}

TEST(Race, CallsEqualsTiesAndRarelyDropsOne) {
  const std::vector<double> truth(6, 1.0);
  int dropped = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto outcome = race(truth.size(), noisy(truth, seed));
    int ties = 0;
    for (const Racer& racer : outcome.racers) {
      ties += racer.tied ? 1 : 0;
    }
    dropped += ties < 5 ? 1 : 0;
  }
  EXPECT_LE(dropped, 10) << "an error of 5 % was asked for";
}

/// The best of 200 single measurements of equal candidates looks 10 % too fast; what the race says
/// of the same winners does not.
TEST(Race, IsNotFlatteredByTheWinnersCurse) {
  double lucky = 0.0;
  double raced = 0.0;
  constexpr int kSeeds = 30;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto single = [&](std::size_t c) { return 1.0 + 0.05 * deviate(seed, "single", c); };
    std::vector<std::size_t> order(200);
    for (std::size_t c = 0; c < order.size(); ++c) {
      order[c] = c;
    }
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return single(a) < single(b); });
    lucky += single(order[0]) / kSeeds;
    const auto outcome = race(5, [&](std::size_t c, std::uint64_t repetition) {
      return std::optional(1.0 + 0.05 * deviate(seed, "again", repetition * 1000 + order[c]));
    });
    raced += outcome.racers[outcome.winner.value()].mean / kSeeds;
  }
  EXPECT_LT(lucky, 0.88);
  EXPECT_NEAR(raced, 1.0, 0.015);
}

TEST(Race, LeavesOutWhatFailsAndHasNoWinnerIfAllDo) {
  const auto outcome = race(3, [](std::size_t c, std::uint64_t repetition) {
    return c == 0 && repetition == 2 ? std::nullopt
           : c == 1                  ? std::optional(std::nan(""))
                                     : std::optional(double(c));
  });
  EXPECT_EQ(outcome.winner, 2U);
  EXPECT_TRUE(outcome.racers[0].failed);
  EXPECT_EQ(outcome.racers[0].samples, 2U);
  EXPECT_TRUE(outcome.racers[1].failed);
  EXPECT_EQ(race(2, [](auto, auto) { return std::optional<double>(); }).winner, std::nullopt);
}

TEST(RungSizes, ShareTheBudgetAndPassOnWhatIsLeft) {
  EXPECT_THAT(rung_sizes(1000, {1.0, 10.0, 100.0}, 300.0), ElementsAre(100, 10, 1));
  EXPECT_THAT(rung_sizes(20, {1.0, 10.0, 100.0}, 300.0), ElementsAre(20, 14, 1));
  EXPECT_THAT(rung_sizes(5, {1.0, 1.0}, 100.0), ElementsAre(5, 5));
  EXPECT_THAT(rung_sizes(50, {10.0}, 1.0), ElementsAre(1)) << "one at least";
}

TEST(SuccessiveHalving, PromotesTheBestOfEachLevelAndNoFailure) {
  std::vector<std::pair<std::size_t, std::size_t>> calls;
  const Fidelities fidelities{.costs = {1.0, 4.0}, .evaluate = [&](auto candidate, auto level) {
                                calls.emplace_back(candidate, level);
                                if (candidate == 7) {
                                  return Fitness{eval::EvalStatus::crashed};
                                }
                                // The cheap level takes 5 for the best, the dear one knows better.
                                const double v = candidate == 5 && level == 0
                                                     ? 0.0
                                                     : std::abs(double(candidate) - 6.0);
                                return Fitness{eval::EvalStatus::ok, v};
                              }};
  const auto rungs = halve(8, fidelities, 16.0);
  ASSERT_EQ(rungs.size(), 2U);
  EXPECT_EQ(rungs[0].evaluated.size(), 8U);
  EXPECT_THAT(rungs[0].promoted, ElementsAre(5, 6)) << "7 is near, but it failed";
  EXPECT_THAT(rungs[1].promoted, ElementsAre(6, 5));
  EXPECT_EQ(rungs[0].cost + rungs[1].cost, 16.0);
  EXPECT_EQ(calls.size(), 10U);
}

} // namespace
} // namespace coulomb::search
