// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/cta_barrier.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace coulomb::functional {
namespace {

class CtaBarrierTest : public ::testing::Test {
protected:
  void SetUp() override {
    cta.warps = cta.live_warps = 4;
    for (std::uint32_t w = 0; w < 4; ++w) {
      warps.push_back(std::make_unique<WarpState>());
      warps.back()->warp_in_cta = w;
    }
  }
  bool waits(std::size_t w, std::uint8_t id) const {
    return !Executor::barrier_released(cta, *warps[w], id);
  }

  CtaState cta;
  std::vector<std::unique_ptr<WarpState>> warps;
};

TEST_F(CtaBarrierTest, CompletesWithTheLastWarp) {
  const BarrierArrival all{.id = 0};
  for (std::size_t w = 0; w < 3; ++w) {
    arrive(cta, *warps[w], all, true);
    EXPECT_TRUE(waits(w, 0));
  }
  arrive(cta, *warps[3], all, true);
  for (std::size_t w = 0; w < 4; ++w) {
    EXPECT_FALSE(waits(w, 0));
  }
  EXPECT_EQ(cta.barriers[0].expected_warps, 0U);
}

TEST_F(CtaBarrierTest, ExplicitCountsRoundUpToWarps) {
  const BarrierArrival some{.id = 5, .threads = 33};
  arrive(cta, *warps[0], some, true);
  EXPECT_TRUE(waits(0, 5));
  arrive(cta, *warps[2], some, false); // BAR.ARV
  EXPECT_FALSE(waits(0, 5));
  EXPECT_FALSE(waits(2, 5));
}

TEST_F(CtaBarrierTest, ExitedWarpsCountOnlyForTheWholeCta) {
  arrive(cta, *warps[0], {.id = 1}, true);
  arrive(cta, *warps[1], {.id = 1}, true);
  arrive(cta, *warps[2], {.id = 2, .threads = 64}, true);
  cta.live_warps = 3;
  warp_exited(cta);
  EXPECT_TRUE(waits(0, 1));
  EXPECT_TRUE(waits(2, 2));
  arrive(cta, *warps[2], {.id = 1}, true);
  EXPECT_FALSE(waits(0, 1));
  EXPECT_TRUE(waits(2, 2));
}

TEST_F(CtaBarrierTest, ReductionsAreFinalWhenTheBarrierCompletes) {
  const BarrierArrival count{.id = 0, .threads = 64, .reduction = BarrierReduction::popc};
  contribute(cta, count, 0xffffffff, 0xff);
  arrive(cta, *warps[0], count, true);
  EXPECT_EQ(cta.reduction[0], 0U);
  contribute(cta, count, 0x0000ffff, 0xffffffff);
  arrive(cta, *warps[1], count, true);
  EXPECT_EQ(cta.reduction[0], 24U);
  // The next use does not disturb the result before it completes.
  const BarrierArrival all{.id = 0, .threads = 64, .reduction = BarrierReduction::all};
  contribute(cta, all, 0xf, 0xf);
  arrive(cta, *warps[0], all, true);
  EXPECT_EQ(cta.reduction[0], 24U);
  contribute(cta, all, 0xf, 0x7);
  arrive(cta, *warps[1], all, true);
  EXPECT_EQ(cta.reduction[0], 0U);
}

} // namespace
} // namespace coulomb::functional
