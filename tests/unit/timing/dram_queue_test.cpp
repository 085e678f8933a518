// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/mem/dram_queue.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace coulomb::timing::mem {
namespace {

DramQueue::Request request(std::uint32_t bank, std::uint64_t row, bool found_open = false) {
  DramQueue::Request r;
  r.bank = bank;
  r.row = row;
  r.found_open = found_open;
  return r;
}

TEST(DramQueue, ShowsTheOldestHitOfABankAndNoMissBesideIt) {
  DramQueue queue(2, 8);
  EXPECT_TRUE(queue.push(request(0, 7)));
  EXPECT_TRUE(queue.push(request(0, 5)));
  EXPECT_TRUE(queue.push(request(0, 5)));
  const auto found = queue.candidates(0, 5);
  ASSERT_GE(found.hit, 0);
  EXPECT_EQ(queue[found.hit].order, 1U);
  EXPECT_EQ(found.miss, DramQueue::kNone) << "the row stays open for who can use it";
  EXPECT_EQ(queue.candidates(0, 9).hit, DramQueue::kNone);
  EXPECT_EQ(queue[queue.candidates(0, 9).miss].order, 0U);
  EXPECT_EQ(queue.candidates(1, 5).miss, DramQueue::kNone) << "nobody waits for that bank";
  EXPECT_FALSE(queue.waits_for(1));
}

TEST(DramQueue, OneFoundOpenIsAHitButDoesNotKeepTheBankFromOpeningARow) {
  DramQueue queue(1, 8);
  (void)queue.push(request(0, 3, true));
  (void)queue.push(request(0, 4));
  const auto found = queue.candidates(0, 9);
  EXPECT_EQ(queue[found.hit].order, 0U);
  EXPECT_EQ(queue[found.miss].order, 1U);
}

TEST(DramQueue, SaysWhichBanksChanged) {
  DramQueue queue(2, 1);
  (void)queue.push(request(0, 1));
  (void)queue.candidates(0, 1);
  (void)queue.candidates(1, 1);
  EXPECT_FALSE(queue.changed(0));
  EXPECT_FALSE(queue.push(request(1, 1))) << "the window is full";
  EXPECT_FALSE(queue.changed(1)) << "what is behind the window is not seen";
  (void)queue.take(queue.candidates(0, 1).hit);
  EXPECT_TRUE(queue.changed(0));
  EXPECT_TRUE(queue.changed(1)) << "it has moved up";
}

/// The same by looking at the whole window, in order of arrival.
struct Naive {
  std::vector<DramQueue::Request> waiting;
  std::size_t window;

  [[nodiscard]] std::pair<std::int64_t, std::int64_t> candidates(std::uint32_t bank,
                                                                 std::uint64_t open_row) const {
    std::int64_t hit = -1;
    std::int64_t miss = -1;
    bool match = false;
    for (std::size_t i = 0; i < std::min(window, waiting.size()); ++i) {
      const auto& r = waiting[i];
      if (r.bank != bank) {
        continue;
      }
      const auto order = static_cast<std::int64_t>(r.order);
      match = match || (!r.found_open && r.row == open_row);
      hit = hit < 0 && (r.found_open || r.row == open_row) ? order : hit;
      miss = miss < 0 && !r.found_open && r.row != open_row ? order : miss;
    }
    return {hit, match ? -1 : miss};
  }
};

TEST(DramQueue, AgreesWithALookAtTheWholeWindow) {
  constexpr std::uint32_t kBanks = 4;
  constexpr std::uint32_t kWindow = 6;
  DramQueue queue(kBanks, kWindow);
  Naive naive{{}, kWindow};
  RandomStream random(1, "dram queue");
  std::uint64_t next = 0;
  for (int step = 0; step < 20'000; ++step) {
    if (naive.waiting.size() < 20 && random.chance(0.5)) {
      auto r = request(static_cast<std::uint32_t>(random.below(kBanks)), random.below(3),
                       random.chance(0.2));
      ASSERT_EQ(queue.push(r), naive.waiting.size() < kWindow);
      r.order = next++;
      naive.waiting.push_back(r);
    }
    ASSERT_EQ(queue.size(), naive.waiting.size());
    const auto bank = static_cast<std::uint32_t>(random.below(kBanks));
    const std::uint64_t open = random.below(3);
    const auto found = queue.candidates(bank, open);
    const auto [hit, miss] = naive.candidates(bank, open);
    ASSERT_EQ(found.hit < 0 ? -1 : static_cast<std::int64_t>(queue[found.hit].order), hit);
    ASSERT_EQ(found.miss < 0 ? -1 : static_cast<std::int64_t>(queue[found.miss].order), miss);
    if (found.hit >= 0) {
      const auto taken = queue.take(found.hit);
      std::erase_if(naive.waiting, [&](const auto& r) { return r.order == taken.order; });
    }
  }
  EXPECT_GT(next, 5'000U);
}

} // namespace
} // namespace coulomb::timing::mem
