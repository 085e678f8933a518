// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/convergence.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace coulomb::functional {
namespace {

std::unique_ptr<WarpState> warp_with(std::uint32_t active) {
  auto warp = std::make_unique<WarpState>();
  warp->active = active;
  warp->exited = ~active;
  warp->pc = 0x100;
  warp->backward_branches = 0;
  return warp;
}

TEST(Convergence, ParkedLanesResumeInOrder) {
  const auto warp = warp_with(0xff);
  park(*warp, 0x0f, 0x200);
  park(*warp, 0x30, 0x300);
  EXPECT_EQ(warp->active, 0xc0U);
  EXPECT_TRUE(switch_split(*warp));
  EXPECT_EQ(warp->active, 0x0fU);
  EXPECT_EQ(warp->pc, 0x200U);
  EXPECT_TRUE(switch_split(*warp));
  EXPECT_EQ(warp->active, 0x30U);
  EXPECT_TRUE(switch_split(*warp)); // the first one again, where it left
  EXPECT_EQ(warp->active, 0xc0U);
  EXPECT_EQ(warp->pc, 0x100U);
}

TEST(Convergence, NothingToSwitchToWhenOthersWait) {
  const auto warp = warp_with(0xff);
  park(*warp, 0x0f, 0x200, 3, 0xff);
  EXPECT_FALSE(switch_split(*warp));
  EXPECT_EQ(warp->active, 0xf0U);
  warp->active = 0;
  EXPECT_FALSE(resume(*warp));
}

TEST(Convergence, ReleaseWaitsForTheLastLaneAndJoinsSplits) {
  const auto warp = warp_with(0xff);
  park(*warp, 0x0f, 0x200, 3, 0xff);
  park(*warp, 0x30, 0x200, 3, 0xff);
  release(*warp);
  ASSERT_EQ(warp->splits.size(), 2U); // lanes 6 and 7 are missing
  park(*warp, 0xc0, 0x200, 3, 0xff);
  release(*warp);
  ASSERT_EQ(warp->splits.size(), 1U);
  EXPECT_EQ(warp->splits[0].mask, 0xffU);
  EXPECT_EQ(warp->splits[0].pc, 0x210U);
  EXPECT_EQ(warp->splits[0].waits_on, kRunnable);
}

TEST(Convergence, ExitedLanesAreNotWaitedFor) {
  const auto warp = warp_with(0xff);
  park(*warp, 0x0f, 0x200, 3, 0xff);
  warp->exited |= 0xf0;
  warp->active = 0;
  release(*warp);
  EXPECT_TRUE(resume(*warp));
  EXPECT_EQ(warp->active, 0x0fU);
  EXPECT_EQ(warp->pc, 0x210U);
}

TEST(Convergence, DifferentInstancesOfABarrierDoNotMix) {
  const auto warp = warp_with(0xff);
  park(*warp, 0x01, 0x200, 3, 0x0f);
  park(*warp, 0xf0, 0x400, 3, 0xf0);
  release(*warp);
  ASSERT_EQ(warp->splits.size(), 2U);
  EXPECT_EQ(warp->splits[0].waits_on, 3);
  EXPECT_EQ(warp->splits[1].mask, 0xf0U); // complete, next to run
  EXPECT_EQ(warp->splits[1].waits_on, kRunnable);
}

TEST(Convergence, SplitsAtDifferentPlacesStayApart) {
  const auto warp = warp_with(0x3);
  park(*warp, 0x1, 0x200, kWaitsWarpsync, 0x3);
  park(*warp, 0x2, 0x300, kWaitsWarpsync, 0x3);
  release(*warp);
  ASSERT_EQ(warp->splits.size(), 2U);
  EXPECT_EQ(warp->splits[0].pc, 0x210U);
  EXPECT_EQ(warp->splits[1].pc, 0x310U);
}

TEST(Convergence, CtaWaitersAreReleasedByBarrier) {
  const auto warp = warp_with(0x7);
  park(*warp, 0x1, 0x200, kWaitsCta + 1);
  park(*warp, 0x2, 0x200, kWaitsCta + 2);
  release_cta_waiters(*warp, 2);
  EXPECT_EQ(warp->splits[0].waits_on, kWaitsCta + 1);
  EXPECT_EQ(warp->splits[1].mask, 0x2U);
  EXPECT_EQ(warp->splits[1].waits_on, kRunnable);
}

// Compiled code: lanes branch out of a BSSY region to a WARPSYNC, without BREAK, while the others
// wait for them at the region's BSYNC.
TEST(Convergence, LanesThatWaitElsewhereHaveLeftTheConvergenceBarrier) {
  const auto warp = warp_with(0xff);
  warp->barriers[0].fill(0xff);
  park(*warp, 0x0f, 0xc10, kWaitsWarpsync, 0xffffffff);
  park(*warp, 0xf0, 0xb40, 0, 0xff);
  EXPECT_FALSE(resume(*warp));
  EXPECT_TRUE(leave_abandoned_barriers(*warp));
  ASSERT_TRUE(resume(*warp));
  EXPECT_EQ(warp->active, 0xf0U);
  EXPECT_EQ(warp->pc, 0xb50U);
  EXPECT_EQ(warp->barriers[0][7], 0xf0U);
}

TEST(Convergence, LanesThatBlockEachOtherStayBlocked) {
  const auto warp = warp_with(0xff);
  park(*warp, 0x0f, 0x100, kWaitsWarpsync, 0x3f);
  park(*warp, 0xf0, 0x200, kWaitsCta, 0);
  EXPECT_FALSE(leave_abandoned_barriers(*warp));
}

// Compiled code counts on it: the outer side of a branch may overwrite uniform registers that the
// inner splits still need.
TEST(Convergence, SplitsThatDivergedLastRunFirst) {
  const auto warp = warp_with(0xff);
  park(*warp, 0x0f, 0x200); // the outer branch
  park(*warp, 0x30, 0x300); // an inner one
  park(*warp, 0xc0, 0x400, 3, 0xf0);
  ASSERT_TRUE(resume(*warp));
  EXPECT_EQ(warp->pc, 0x300U);
  park(*warp, 0x30, 0x400, 3, 0xf0);
  release(*warp);
  ASSERT_TRUE(resume(*warp));
  EXPECT_EQ(warp->active, 0xf0U);
  EXPECT_EQ(warp->pc, 0x410U);
  ASSERT_EQ(warp->splits.size(), 1U);
  EXPECT_EQ(warp->splits[0].pc, 0x200U);
}

} // namespace
} // namespace coulomb::functional
