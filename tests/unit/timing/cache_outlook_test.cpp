// SPDX-License-Identifier: Apache-2.0
#include "base/config/gpu_catalogue.hpp"
#include "sim/timing/gpu/footprint.hpp"

#include <gtest/gtest.h>

namespace coulomb::timing::gpu {
namespace {

constexpr std::uint64_t kMiB = 1U << 20U;

const config::GpuConfig& a100() {
  static const config::GpuConfig gpu = config::load_gpu("a100-pcie-40gb").config; // 40 MiB of L2
  return gpu;
}

/// Buffers of which each of 1,000 CTAs reads its own part.
Footprint streams(const std::vector<std::uint64_t>& mebibytes) {
  Footprint all;
  std::uint64_t base = kMiB;
  for (const std::uint64_t size : mebibytes) {
    all.buffers.push_back(
        {base, size * kMiB, static_cast<double>(size * kMiB) / 32.0 / 1000.0, 0.0});
    base += size * kMiB;
  }
  return all;
}

std::vector<double> resident(const CacheOutlook& outlook) {
  std::vector<double> all;
  for (const auto& range : outlook.reuse.ranges()) {
    all.push_back(range.resident);
  }
  return all;
}

using Shares = std::vector<double>;

TEST(CacheOutlook, WarmStartFindsWhatFitsL2AndNothingOfWhatDoesNot) {
  EXPECT_EQ(resident(cache_outlook(a100(), streams({10, 10}), 1000, false, "warm")),
            (Shares{1.0, 1.0}));
  EXPECT_EQ(resident(cache_outlook(a100(), streams({30, 30}), 1000, false, "warm")),
            (Shares{0.0, 0.0}));
}

TEST(CacheOutlook, ColdStartFindsNothing) {
  const auto outlook = cache_outlook(a100(), streams({10, 10}), 1000, false, "cold");
  EXPECT_EQ(resident(outlook), (Shares{0.0, 0.0}));
  EXPECT_TRUE(outlook.fits_l2);
}

TEST(CacheOutlook, HostCopiesLeaveTheLastBuffersThere) {
  // 36 MiB are usable: all of the last, a fifth of the one before, none of the first.
  const auto shares =
      resident(cache_outlook(a100(), streams({20, 20, 32}), 1000, true, "host-copy"));
  ASSERT_EQ(shares.size(), 3U);
  EXPECT_DOUBLE_EQ(shares[2], 1.0);
  EXPECT_NEAR(shares[1], 0.2, 1e-9);
  EXPECT_DOUBLE_EQ(shares[0], 0.0);
}

TEST(CacheOutlook, CopiesForTheFarPartitionNeedRoomOfTheirOwn) {
  const auto copied = [](std::uint64_t mebibytes, const char* state) {
    return cache_outlook(a100(), streams({mebibytes}), 1000, false, state).reuse.ranges()[0].copied;
  };
  EXPECT_DOUBLE_EQ(copied(20, "warm"), 1.0); // 20 MiB and copies of half
  EXPECT_DOUBLE_EQ(copied(30, "warm"), 0.0); // fits, but not with copies
  EXPECT_DOUBLE_EQ(copied(20, "cold"), 0.0);
}

TEST(CacheOutlook, DataThatManyCtasReadIsBroughtInByOthers) {
  auto footprint = streams({100});
  footprint.buffers[0].read_sectors *= 10.0; // each sector by ten CTAs
  const auto outlook = cache_outlook(a100(), footprint, 1000, false, "warm");
  EXPECT_NEAR(outlook.reuse.ranges()[0].resident, 0.9, 1e-9);
  EXPECT_NEAR(outlook.reuse.ranges()[0].copied, 0.8, 1e-9); // half of the others are near
}

} // namespace
} // namespace coulomb::timing::gpu
