// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/sm/timeline.hpp"

#include <gtest/gtest.h>
#include <map>

namespace coulomb::timing::sm {
namespace {

Timeline::Options options(std::size_t events, std::uint32_t shortest) {
  Timeline::Options o;
  o.events = events;
  o.shortest = shortest;
  o.samples = 4;
  o.sample_cycles = 10;
  return o;
}

TEST(Timeline, JoinsSlicesOfTheSameReason) {
  Timeline t(options(100, 4), 1, 2);
  t.launched(0, 1, 7, 3, 0);
  t.stalled(0, 1, StallReason::wait, 1, 11);
  t.stalled(0, 1, StallReason::wait, 11, 21);
  t.stalled(0, 1, StallReason::barrier, 21, 31);
  t.finished(0, 1, 30);
  ASSERT_EQ(t.slices().size(), 2U);
  EXPECT_EQ(t.slices()[0].from, 1U);
  EXPECT_EQ(t.slices()[0].to, 21U);
  EXPECT_EQ(t.slices()[0].reason, StallReason::wait);
  EXPECT_EQ(t.slices()[1].reason, StallReason::barrier);
  EXPECT_EQ(t.slices()[1].slot, 1U);
  ASSERT_EQ(t.residencies().size(), 1U);
  EXPECT_EQ(t.residencies()[0].cta, 7U);
  EXPECT_EQ(t.residencies()[0].warp, 3U);
  EXPECT_EQ(t.residencies()[0].from, 1U);
  EXPECT_EQ(t.residencies()[0].to, 31U);
}

TEST(Timeline, NamesAShortMixAfterItsLongestReason) {
  Timeline t(options(100, 16), 1, 1);
  t.launched(0, 0, 0, 0, 0);
  t.stalled(0, 0, StallReason::selected, 1, 2);
  t.stalled(0, 0, StallReason::wait, 2, 6);
  t.stalled(0, 0, StallReason::selected, 6, 7);
  t.finished(0, 0, 6);
  ASSERT_EQ(t.slices().size(), 1U);
  EXPECT_EQ(t.slices()[0].reason, StallReason::wait);
  EXPECT_EQ(t.slices()[0].to, 7U);
}

TEST(Timeline, CoversALongRunInLittleRoom) {
  constexpr std::uint32_t kSlots = 3;
  constexpr std::size_t kRoom = 48;
  Timeline t(options(kRoom, 1), 1, kSlots);
  const auto* data = t.slices().data();
  for (std::uint32_t s = 0; s < kSlots; ++s) {
    t.launched(0, s, s, 0, 0);
  }
  constexpr Cycle kEnd = 10'001;
  for (Cycle c = 1; c < kEnd; c += 2) {
    for (std::uint32_t s = 0; s < kSlots; ++s) {
      t.stalled(0, s, StallReason::selected, c, c + 1);
      t.stalled(0, s, StallReason::wait, c + 1, c + 2);
    }
  }
  for (std::uint32_t s = 0; s < kSlots; ++s) {
    t.finished(0, s, kEnd - 1);
  }
  EXPECT_LE(t.slices().size() + t.residencies().size(), kRoom);
  EXPECT_EQ(t.dropped_slices(), 0U);
  EXPECT_EQ(t.slices().data(), data) << "recording must not allocate";
  EXPECT_GT(t.shortest(), 1U);
  std::map<std::uint32_t, Cycle> covered;
  for (const auto& slice : t.slices()) {
    auto [until, first] = covered.try_emplace(slice.slot, 1);
    EXPECT_EQ(slice.from, until->second) << "slot " << slice.slot;
    until->second = slice.to;
  }
  for (std::uint32_t s = 0; s < kSlots; ++s) {
    EXPECT_EQ(covered[s], kEnd) << "slot " << s;
  }
}

TEST(Timeline, LeavesOutLaterWarpsRatherThanPassTheCoarsestResolution) {
  Timeline::Options o = options(10, 1);
  o.coarsest = 64;
  Timeline t(o, 1, 1);
  Cycle now = 0;
  for (int warp = 0; warp < 20; ++warp, now += 100) { // each stays apart from the one before
    t.launched(0, 0, 1, 0, now);
    t.stalled(0, 0, StallReason::wait, now + 1, now + 50);
    t.finished(0, 0, now + 49);
  }
  EXPECT_EQ(t.residencies().size(), 5U);
  EXPECT_EQ(t.slices().size(), 5U);
  EXPECT_EQ(t.dropped_warps(), 15U);
  EXPECT_EQ(t.dropped_slices(), 0U);
  EXPECT_EQ(t.shortest(), 64U);
  EXPECT_EQ(t.residencies().back().to, 450U) << "those that are there are the first ones";
}

TEST(Timeline, HalvesTheResolutionOfSamplesWhenTheyFillTheirRoom) {
  Timeline t(options(10, 1), 1, 1);
  SmCounters counters;
  Cycle next = 0;
  for (Cycle now = 0; now <= 1000; now = next) {
    counters.warp_instructions = 2 * now;
    next = t.sample(0, counters, now);
  }
  EXPECT_LE(t.samples(0).size(), 4U);
  Cycle until = 0;
  for (const auto& s : t.samples(0)) {
    EXPECT_EQ(s.from, until);
    EXPECT_EQ(s.instructions, 2 * (s.to - s.from));
    until = s.to;
  }
  EXPECT_GT(until, 500U);
}

TEST(Timeline, SamplesTheMemorySideWithTheFirstSm) {
  Timeline t(options(10, 1), 2, 1);
  MemoryCounters first;
  MemoryCounters second;
  t.watch({&first, &second});
  first.l2_read_sectors = 3;
  second.l2_write_sectors = 4;
  second.dram_read_sectors = 5;
  t.sample(1, {}, 10);
  EXPECT_TRUE(t.samples(2).empty());
  t.sample(0, {}, 10);
  ASSERT_EQ(t.samples(2).size(), 1U);
  EXPECT_EQ(t.samples(2)[0].l2_sectors, 7U);
  EXPECT_EQ(t.samples(2)[0].dram_sectors, 5U);
}

TEST(Timeline, EndsWhatIsOpenWhenARunStops) {
  Timeline t(options(10, 1), 1, 1);
  t.launched(0, 0, 9, 0, 4);
  t.stalled(0, 0, StallReason::barrier, 5, 50);
  t.close();
  ASSERT_EQ(t.slices().size(), 1U);
  ASSERT_EQ(t.residencies().size(), 1U);
  EXPECT_EQ(t.residencies()[0].to, 50U);
  t.close();
  EXPECT_EQ(t.residencies().size(), 1U);
}

} // namespace
} // namespace coulomb::timing::sm
