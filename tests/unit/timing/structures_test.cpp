// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/lru_tags.hpp"
#include "sim/timing/pending_lines.hpp"
#include "sim/timing/timing_wheel.hpp"
#include "sim/timing/types.hpp"

#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace coulomb::timing {
namespace {

TEST(Server, ServesFractionsOfACycleExactly) {
  Server server;
  const auto third = Server::ticks(1.0 / 4.0);
  for (int i = 0; i < 16; ++i) {
    server.serve(100, third);
  }
  EXPECT_EQ(server.free_at(), 104U);
}

TEST(LruTags, ReplacesTheLeastRecentlyUsedLine) {
  LruTags tags(4, 4);
  LruTags::Way victim;
  for (std::uint64_t line = 0; line < 4; ++line) {
    tags.allocate(line, victim);
  }
  EXPECT_NE(tags.find(0), nullptr);
  tags.allocate(9, victim);
  EXPECT_EQ(victim.line, 1U);
  EXPECT_NE(tags.find(0), nullptr);
  EXPECT_EQ(tags.find(1), nullptr);
}

TEST(TimingWheel, DeliversEventsInOrderOfTimeNearAndFar) {
  TimingWheel<int> wheel;
  wheel.schedule(0, 2000, 3);
  wheel.schedule(0, 5, 1);
  wheel.schedule(0, 511, 2);
  std::vector<std::pair<Cycle, int>> seen;
  for (Cycle now = wheel.next(); now != kNever; now = wheel.next()) {
    wheel.run(now, [&](int e) { seen.emplace_back(now, e); });
  }
  EXPECT_EQ(seen, (std::vector<std::pair<Cycle, int>>{{5, 1}, {511, 2}, {2000, 3}}));
}

TEST(TimingWheel, NeverDeliversInTheCycleOfScheduling) {
  TimingWheel<int> wheel;
  wheel.schedule(10, 3, 1);
  EXPECT_EQ(wheel.next(), 11U);
}

TEST(PendingLines, WakesWaitersWhenTheirSectorsArrive) {
  PendingLines<int> pending(4, 8);
  auto& entry = pending.open(77);
  entry.requested = 0b0111;
  pending.wait(entry, 1, 0b0011);
  pending.wait(entry, 2, 0b0100);
  std::map<int, bool> done;
  const auto note = [&](int waiter, std::uint8_t, bool complete) { done[waiter] = complete; };
  pending.arrive(77, 0b0001, note);
  EXPECT_EQ(done, (std::map<int, bool>{{1, false}}));
  pending.arrive(77, 0b0110, note);
  EXPECT_EQ(done, (std::map<int, bool>{{1, true}, {2, true}}));
  EXPECT_EQ(pending.used(), 0U);
  EXPECT_EQ(pending.find(77), nullptr);
}

TEST(PendingLines, FindsEveryLineAfterManyErasures) {
  PendingLines<int> pending(64, 64);
  for (std::uint64_t round = 0; round < 1000; ++round) {
    for (std::uint64_t i = 0; i < 40; ++i) {
      auto& e = pending.open(round * 7 + i * 1024);
      e.requested = 1;
      pending.wait(e, static_cast<int>(i), 1);
    }
    int woken = 0;
    for (std::uint64_t i = 0; i < 40; ++i) {
      ASSERT_NE(pending.find(round * 7 + i * 1024), nullptr);
      pending.arrive(round * 7 + i * 1024, 1, [&](int, std::uint8_t, bool) { ++woken; });
    }
    ASSERT_EQ(woken, 40);
    ASSERT_EQ(pending.used(), 0U);
  }
}

TEST(PendingLines, SaysWhenItIsFull) {
  PendingLines<int> pending(2, 16);
  pending.open(1);
  EXPECT_TRUE(pending.has_room(1));
  pending.open(2);
  EXPECT_FALSE(pending.has_room(1));
}

} // namespace
} // namespace coulomb::timing
