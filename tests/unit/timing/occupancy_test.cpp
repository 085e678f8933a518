// SPDX-License-Identifier: Apache-2.0
#include "base/config/gpu_catalogue.hpp"
#include "sim/timing/gpu/occupancy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::timing::gpu {
namespace {

using ::testing::HasSubstr;
constexpr std::uint64_t kBigGrid = 1'000'000;

config::GpuConfig a100() {
  return config::load_gpu("a100-pcie-40gb").config;
}
config::GpuConfig rtx3090() {
  return config::load_gpu("rtx-3090").config;
}

TEST(Occupancy, IsLimitedByWarpsForASmallKernel) {
  const auto r = occupancy(a100(), {256, 32, 0, 0, 0}, kBigGrid);
  EXPECT_EQ(r.ctas_per_sm, 8U);
  EXPECT_EQ(r.warps_per_sm, 64U);
  EXPECT_EQ(r.limiter, "warps");
}

TEST(Occupancy, AllocatesRegistersPerWarpInUnitsOf256) {
  // 33 registers: 1056 per warp round up to 1280; 16384 / 1280 = 12 warps a sub-core, 48 an SM, 6
  // CTAs of 8.
  const auto r = occupancy(a100(), {256, 33, 0, 0, 0}, kBigGrid);
  EXPECT_EQ(r.ctas_per_sm, 6U);
  EXPECT_EQ(r.limiter, "registers");
}

TEST(Occupancy, CountsTheReservedSharedMemoryOfEachCta) {
  // 40960 + 1024 reserved = 41984; 167936 / 41984 = 4 exactly on GA100 (164 KiB).
  const auto r = occupancy(a100(), {128, 32, 40960, 0, 0}, kBigGrid);
  EXPECT_EQ(r.ctas_per_sm, 4U);
  EXPECT_EQ(r.limiter, "shared memory");
  EXPECT_EQ(r.carveout_bytes, 164U * 1024);
  EXPECT_EQ(r.l1_bytes, 28U * 1024);
  EXPECT_EQ(occupancy(a100(), {128, 32, 40961, 0, 0}, kBigGrid).ctas_per_sm, 3U);
}

TEST(Occupancy, ChoosesTheSmallestCarveOutThatHoldsTheResidentCtas) {
  const auto r = occupancy(a100(), {1024, 32, 15000, 0, 0}, kBigGrid);
  EXPECT_EQ(r.ctas_per_sm, 2U);
  EXPECT_EQ(r.carveout_bytes, 32U * 1024);
}

TEST(Occupancy, Ga10xHolds48WarpsAnd16Ctas) {
  EXPECT_EQ(occupancy(rtx3090(), {256, 32, 0, 0, 0}, kBigGrid).warps_per_sm, 48U);
  const auto r = occupancy(rtx3090(), {32, 32, 0, 0, 0}, kBigGrid);
  EXPECT_EQ(r.ctas_per_sm, 16U);
  EXPECT_EQ(r.limiter, "CTA slots");
}

TEST(Occupancy, RefusesALaunchWhoseRegistersExceedTheFile) {
  // The silicon table's rule: registers rounded up to 8 times threads above 65536 is refused.
  const auto r = occupancy(a100(), {1024, 65, 0, 0, 0}, kBigGrid);
  EXPECT_THAT(
      r.invalid,
      HasSubstr("too many registers: 65 per thread in 32 warps need 73728, an SM has 65536"));
  EXPECT_EQ(occupancy(a100(), {1024, 64, 0, 0, 0}, kBigGrid).invalid, "");
}

TEST(Occupancy, RefusesMoreThan48KiBOfStaticSharedMemory) {
  EXPECT_EQ(occupancy(a100(), {128, 32, 49152, 0, 0}, kBigGrid).invalid, "");
  EXPECT_THAT(occupancy(a100(), {128, 32, 49153, 0, 0}, kBigGrid).invalid,
              HasSubstr("too much static shared memory: 49153 bytes, allowed 49152"));
}

TEST(Occupancy, IsLimitedByTheGridWhenThereAreFewCtas) {
  const auto r = occupancy(a100(), {256, 32, 0, 0, 0}, 108);
  EXPECT_EQ(r.ctas_per_sm, 1U);
  EXPECT_EQ(r.limiter, "grid");
}

} // namespace
} // namespace coulomb::timing::gpu
