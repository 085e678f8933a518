// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/sm/tlb.hpp"

#include <gtest/gtest.h>

namespace coulomb::timing::sm {
namespace {

constexpr std::uint64_t kLinesPerPage = (2U << 20U) / kLineBytes;

TEST(Tlb, FootprintOfTheFirstLevelCostsNothingOnceItIsThere) {
  const config::TlbConfig config; // 16 pages of 2 MiB: the 32 MB of a GA106
  Tlb tlb(config, true);
  for (int pass = 0; pass < 3; ++pass) {
    for (std::uint64_t page = 0; page < 16; ++page) {
      EXPECT_EQ(tlb.translate(page * kLinesPerPage), pass == 0 ? 8U : 0U);
      EXPECT_EQ(tlb.translate(page * kLinesPerPage + 100), 0U);
    }
  }
}

TEST(Tlb, BeyondItEveryNewPageCostsEightCycles) {
  Tlb tlb({}, true);
  for (int pass = 0; pass < 3; ++pass) {
    for (std::uint64_t page = 0; page < 17; ++page) { // least recently used of 16 goes first
      EXPECT_EQ(tlb.translate(page * kLinesPerPage), 8U);
    }
  }
}

TEST(Tlb, ColdStartWalksOnceForSixteenNeighbouringPages) {
  Tlb tlb({}, false);
  EXPECT_EQ(tlb.translate(0), 408U);
  EXPECT_EQ(tlb.translate(kLinesPerPage), 8U);
  EXPECT_EQ(tlb.translate(16 * kLinesPerPage), 408U);
  EXPECT_EQ(tlb.translate(17 * kLinesPerPage), 8U);
}

} // namespace
} // namespace coulomb::timing::sm
