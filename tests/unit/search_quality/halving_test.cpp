// SPDX-License-Identifier: Apache-2.0
// Successive halving on recorded fidelities: another board's times are the cheap level.
#include "search/halving/successive_halving.hpp"
#include "tests/bench/search_quality/recorded_space.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace coulomb::bench {
namespace {

struct Recorded {
  RecordedSpace cheap = load_recorded_space("convolution/convolution_A100-PCIE-40GB");
  RecordedSpace dear = load_recorded_space("convolution/convolution_RTX-A4000_2023-12");
  /// Configurations that both boards have, in a random order.
  std::vector<std::pair<search::Point, search::Point>> both;

  explicit Recorded(std::uint64_t seed) {
    for (search::Point p = 0; p < cheap.space.size(); ++p) {
      if (const auto q = dear.space.find(cheap.space.configuration(p))) {
        both.emplace_back(p, *q);
      }
    }
    RandomStream random(seed, "halving", 0);
    for (std::size_t i = both.size(); i > 1; --i) {
      std::swap(both[i - 1], both[random.below(i)]);
    }
  }
  [[nodiscard]] double dear_value(std::size_t candidate) const {
    const auto& fitness = dear.fitness[both[candidate].second];
    return fitness.status == eval::EvalStatus::ok ? fitness.value : dear.worst();
  }
};

TEST(SuccessiveHalving, WithAnotherBoardAsTheCheapLevelBeatsTheSameCostSpentOnTheDearOne) {
  constexpr int kSeeds = 10;
  double halved = 0.0;
  double dear_only = 0.0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Recorded recorded(seed);
    const search::Fidelities fidelities{
        .costs = {1.0, 50.0}, .evaluate = [&](std::size_t candidate, std::size_t level) {
          return level == 0 ? recorded.cheap.fitness[recorded.both[candidate].first]
                            : recorded.dear.fitness[recorded.both[candidate].second];
        }};
    const auto rungs = search::halve(recorded.both.size(), fidelities, 2000.0);
    ASSERT_EQ(rungs[0].evaluated.size(), 1000U);
    ASSERT_EQ(rungs[1].evaluated.size(), 20U);
    halved += recorded.dear_value(rungs[1].promoted.front()) / kSeeds;
    double best = recorded.dear.worst(); // of 40, which cost the same
    for (std::size_t c = 0; c < 40; ++c) {
      best = std::min(best, recorded.dear_value(c));
    }
    dear_only += best / kSeeds;
  }
  EXPECT_LT(halved, 0.9 * dear_only);
}

} // namespace
} // namespace coulomb::bench
