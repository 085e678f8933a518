// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/sm/warp_scheduler.hpp"

#include <array>
#include <gtest/gtest.h>
#include <vector>

namespace coulomb::timing::sm {
namespace {

WarpScheduler scheduler(const char* policy, std::uint32_t active = 4) {
  config::SmConfig config;
  config.scheduler_policy = policy;
  config.scheduler_active_warps = active;
  return WarpScheduler(config);
}

// Warp 2 is the oldest, warp 1 the youngest.
std::uint64_t age(std::uint32_t warp) {
  constexpr std::array<std::uint64_t, 5> kAges{20, 50, 10, 30, 40};
  return kAges[warp];
}

/// The order in which warps are asked when none of them can issue.
std::vector<std::uint32_t>
order(const WarpScheduler& scheduler, std::uint32_t ready, std::uint32_t last) {
  std::vector<std::uint32_t> warps;
  while (ready != 0) {
    warps.push_back(scheduler.pick(ready, last, age));
    ready &= ~(1U << warps.back());
  }
  return warps;
}

using Order = std::vector<std::uint32_t>;

TEST(WarpScheduler, NativeIsGreedyThenYoungest) {
  EXPECT_EQ(order(scheduler("native"), 0b11111, 3), (Order{3, 1, 4, 0, 2}));
  EXPECT_EQ(order(scheduler("native"), 0b10101, 3), (Order{4, 0, 2}));
}

TEST(WarpScheduler, GtoIsGreedyThenOldest) {
  EXPECT_EQ(order(scheduler("gto"), 0b11111, 3), (Order{3, 2, 0, 4, 1}));
  EXPECT_EQ(order(scheduler("gto"), 0b10101, 3), (Order{2, 0, 4}));
}

TEST(WarpScheduler, LrrAsksTheWarpThatIssuedLastAtTheEnd) {
  EXPECT_EQ(order(scheduler("lrr"), 0b11111, 3), (Order{4, 0, 1, 2, 3}));
  EXPECT_EQ(scheduler("lrr").pick(1U << 31 | 1U, 31, age), 0U);
}

TEST(WarpScheduler, TwoLevelAdmitsTheOldestAsLongAsThereIsRoom) {
  WarpScheduler two = scheduler("two_level", 2);
  EXPECT_EQ(two.admit(0b11111, age), 0b00101U); // warps 2 and 0
  EXPECT_EQ(two.admit(0b11010, age), 0U);       // they keep their places while not ready
  EXPECT_TRUE(two.swap_out(2));
  EXPECT_FALSE(two.swap_out(2));
  EXPECT_EQ(two.admit(0b11011, age), 0b01001U); // warp 3 takes the place
}

} // namespace
} // namespace coulomb::timing::sm
