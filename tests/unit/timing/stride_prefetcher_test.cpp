// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/sm/stride_prefetcher.hpp"

#include <gtest/gtest.h>

namespace coulomb::timing::sm {
namespace {

config::L1PrefetchConfig of(const char* policy, std::uint32_t distance = 2) {
  config::L1PrefetchConfig config;
  config.policy = policy;
  config.distance = distance;
  config.max_distance = 4;
  return config;
}

TEST(StridePrefetcher, ConfirmsAStrideThatItSeesTwiceInARow) {
  StridePrefetcher p(of("stride"));
  EXPECT_EQ(p.train(0x10, 7, 1000), 0);
  EXPECT_EQ(p.train(0x10, 7, 1256), 0);
  EXPECT_EQ(p.train(0x10, 7, 1512), 2 * 256);
  EXPECT_EQ(p.train(0x10, 7, 1512), 2 * 256) << "the same address says nothing";
  EXPECT_EQ(p.train(0x10, 7, 1500), 0) << "another stride";
  EXPECT_EQ(p.train(0x10, 7, 1488), 2 * -12);
}

TEST(StridePrefetcher, LearnsFromOneWarpForAll) {
  StridePrefetcher p(of("stride"));
  for (const std::uint64_t address : {0, 128, 256}) {
    (void)p.train(0x10, 1, address);
    (void)p.train(0x10, 2, 99 * address);
  }
  EXPECT_EQ(p.train(0x10, 2, 5), 2 * 128);
  EXPECT_EQ(p.train(0x20, 1, 5), 0) << "another load";
}

TEST(StridePrefetcher, TurnsToAnotherWarpWhenItsOwnDoesNotComeAnyMore) {
  StridePrefetcher p(of("stride"));
  (void)p.train(0x10, 1, 0);
  std::uint64_t address = 0;
  int accesses = 0;
  for (; p.train(0x10, 2, address) == 0; ++accesses) {
    address += 64;
  }
  EXPECT_EQ(accesses, 256 + 2) << "257 accesses to take over, of which the last is the first seen";
}

TEST(StridePrefetcher, ReplacesTheLoadThatItHasNotSeenForLongest) {
  auto config = of("stride");
  config.table_entries = 2;
  StridePrefetcher p(config);
  for (const std::uint64_t address : {0, 128, 256}) {
    (void)p.train(0x10, 1, address);
    (void)p.train(0x20, 1, address);
  }
  (void)p.train(0x10, 1, 384);
  (void)p.train(0x30, 1, 0); // takes the entry of 0x20
  EXPECT_EQ(p.train(0x10, 1, 512), 2 * 128);
  EXPECT_EQ(p.train(0x20, 1, 512), 0);
}

TEST(StridePrefetcher, AdaptiveDistanceFollowsLateAndUnusedPrefetches) {
  StridePrefetcher p(of("adaptive"));
  for (int i = 0; i < 15; ++i) {
    p.late();
  }
  EXPECT_EQ(p.distance(), 2);
  p.late();
  EXPECT_EQ(p.distance(), 3);
  for (int i = 0; i < 100; ++i) {
    p.late();
  }
  EXPECT_EQ(p.distance(), 4) << "max_distance";
  for (int i = 0; i < 200; ++i) {
    p.unused();
  }
  EXPECT_EQ(p.distance(), 1);
}

TEST(StridePrefetcher, FixedDistanceStays) {
  StridePrefetcher p(of("stride"));
  for (int i = 0; i < 100; ++i) {
    p.late();
  }
  EXPECT_EQ(p.distance(), 2);
}

} // namespace
} // namespace coulomb::timing::sm
