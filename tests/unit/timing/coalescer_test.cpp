// SPDX-License-Identifier: Apache-2.0
// Rates: gpu-benches L1 stride curve on A100 and RTX 3060 shared-memory bandwidth, see configs/gpu.
#include "sim/timing/sm/coalescer.hpp"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::timing::sm {
namespace {

functional::MemoryAccess
strided(std::uint64_t base, std::uint64_t stride_bytes, std::uint8_t bytes) {
  functional::MemoryAccess a;
  a.space = functional::MemorySpace::global;
  a.load = true;
  a.bytes = bytes;
  a.mask = ~0U;
  for (std::uint32_t l = 0; l < 32; ++l) {
    a.address[l] = base + l * stride_bytes;
  }
  return a;
}

config::LsuConfig ga100() {
  return {};
}

TEST(Coalescer, UnitStrideIsOneLineOfFourSectors) {
  CoalescedAccess out;
  coalesce_global(strided(0x1000, 4, 4), ga100(), out);
  ASSERT_EQ(out.line_count, 1U);
  EXPECT_EQ(out.lines[0].line, 0x1000U / 128);
  EXPECT_EQ(out.lines[0].sectors, 0xF);
  EXPECT_EQ(out.data_passes, 1U);
  EXPECT_EQ(out.tag_passes, 1U);
}

TEST(Coalescer, MisalignedUnitStrideTouchesFiveSectorsOfTwoLines) {
  CoalescedAccess out;
  coalesce_global(strided(0x1004, 4, 4), ga100(), out);
  EXPECT_EQ(out.line_count, 2U);
  EXPECT_EQ(out.sector_count, 5U);
}

TEST(Coalescer, BroadcastIsOneSector) {
  CoalescedAccess out;
  coalesce_global(strided(0x1000, 0, 4), ga100(), out);
  EXPECT_EQ(out.sector_count, 1U);
  EXPECT_EQ(out.data_passes, 1U);
}

TEST(Coalescer, PowerOfTwoStridesAreBankLimited) {
  for (const std::uint32_t stride : {2U, 4U, 8U, 16U, 32U}) {
    CoalescedAccess out;
    coalesce_global(strided(0, stride * 4, 4), ga100(), out);
    EXPECT_EQ(std::max(out.data_passes, out.tag_passes), stride) << "stride " << stride;
  }
}

TEST(Coalescer, OddStridesAreTagLimited) {
  CoalescedAccess out;
  coalesce_global(strided(0, 31 * 4, 4), ga100(), out); // 31 lines, 4 tags a cycle; measured 8.5
  EXPECT_EQ(out.data_passes, 1U);
  EXPECT_EQ(out.tag_passes, 8U);
}

// gpu-benches on A100, t-stage wavefronts per load at these strides.
TEST(Coalescer, MeanTagPassesFollowTheMeasuredStrideCurve) {
  struct Point {
    std::uint32_t stride;
    double measured;
  };
  for (const Point p : {Point{1, 1.00},
                        {2, 1.24},
                        {3, 1.62},
                        {4, 1.89},
                        {5, 2.19},
                        {7, 2.67},
                        {9, 3.03},
                        {13, 4.01},
                        {17, 5.10},
                        {24, 6.20},
                        {31, 8.50},
                        {64, 8.00}}) {
    std::uint32_t sum = 0;
    constexpr std::uint32_t kWarps = 4096;
    for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
      CoalescedAccess out;
      coalesce_global(strided(std::uint64_t{warp} * 128 * p.stride, p.stride * 4, 4), ga100(), out);
      sum += out.tag_passes;
    }
    EXPECT_NEAR(static_cast<double>(sum) / kWarps, p.measured, 0.08 * p.measured)
        << "stride " << p.stride;
  }
}

TEST(Coalescer, TagBanksAreEvenOver32LinesAndUnevenOverTwo) {
  std::uint32_t same = 0;
  for (std::uint64_t block = 0; block < 256; ++block) {
    std::array<std::uint32_t, 4> lines{};
    for (std::uint64_t line = block * 32; line < block * 32 + 32; ++line) {
      ++lines[tag_bank(line, 4)];
      same += tag_bank(line, 4) == tag_bank(line + 1, 4) ? 1 : 0;
    }
    EXPECT_THAT(lines, testing::Each(8U));
  }
  EXPECT_NEAR(same / (256.0 * 32.0), 0.25, 0.03); // a load of two lines needs 1.25 passes
  EXPECT_EQ(tag_bank(12345, 1), 0U);
}

TEST(SharedMemory, ConflictDegreeIsTheNumberOfPasses) {
  EXPECT_EQ(shared_passes(strided(0, 4, 4), ga100()), 1U);
  EXPECT_EQ(shared_passes(strided(0, 8, 4), ga100()), 2U);
  EXPECT_EQ(shared_passes(strided(0, 128, 4), ga100()), 32U);
  EXPECT_EQ(shared_passes(strided(0, 0, 4), ga100()), 1U);
}

TEST(SharedMemory, WideAccessesTakeOnePassPer128Bytes) {
  EXPECT_EQ(shared_passes(strided(0, 8, 8), ga100()), 2U);
  EXPECT_EQ(shared_passes(strided(0, 16, 16), ga100()), 4U);
}

/// Lanes whose address is that of lane / `sharers`, of `bytes` each.
functional::MemoryAccess shared_by(std::uint32_t sharers, std::uint8_t bytes) {
  functional::MemoryAccess a = strided(0, 0, bytes);
  for (std::uint32_t l = 0; l < 32; ++l) {
    a.address[l] = l / sharers * bytes;
  }
  return a;
}

// NVIDIA, forum thread 77228: requests of a wide load halve if lanes n and n ^ 1, or n and n ^ 2,
// have the same address.
TEST(SharedMemory, WideLoadsOfPairsThatShareAnAddressArePacked) {
  EXPECT_EQ(shared_passes(shared_by(2, 16), ga100()), 2U);
  EXPECT_EQ(shared_passes(shared_by(32, 16), ga100()), 2U) << "one address for all";
  EXPECT_EQ(shared_passes(shared_by(2, 8), ga100()), 1U);
  EXPECT_EQ(shared_passes(shared_by(2, 4), ga100()), 1U) << "nothing to gain";
  functional::MemoryAccess crossed = strided(0, 0, 16);
  for (std::uint32_t l = 0; l < 32; ++l) { // 0 1 0 1 2 3 2 3 ...: lanes two apart
    crossed.address[l] = 16 * (l / 4 * 2 + l % 2);
  }
  EXPECT_EQ(shared_passes(crossed, ga100()), 2U);
  crossed.address[31] = 0; // one pair that differs
  EXPECT_EQ(shared_passes(crossed, ga100()), 4U);
  crossed.mask = 0x7fffffff; // unless its lane is not active
  EXPECT_EQ(shared_passes(crossed, ga100()), 2U);
  functional::MemoryAccess store = shared_by(2, 16);
  store.load = false;
  store.store = true;
  EXPECT_EQ(shared_passes(store, ga100()), 4U);
}

// gpu-benches on A40: stride 2 takes two cycles, as does stride 1, for which the stage's interval
// is the limit; banks are as on GA100. Lanes that read the same words twice over do not add passes.
TEST(SharedMemory, ConflictsOfAWholeWarpAreCountedAtOnce) {
  functional::MemoryAccess twice = strided(0, 32, 4); // 16 words in 4 banks, read by both halves
  for (std::uint32_t l = 0; l < 32; ++l) {
    twice.address[l] = l % 16 * 32;
  }
  EXPECT_EQ(shared_passes(twice, ga100()), 4U);
  EXPECT_EQ(conflict_free_passes(twice, ga100()), 1U);
}

/// Lanes in groups of `contenders` update one word each, the groups neighbouring words.
functional::MemoryAccess contended(std::uint32_t contenders) {
  functional::MemoryAccess a = strided(0, 4, 4);
  for (std::uint32_t l = 0; l < 32; ++l) {
    a.address[l] = l / contenders * 4;
  }
  return a;
}

// GTC 2021 S33322: 32 lanes take 4 cycles and one for each contender.
TEST(SharedAtomics, TakeAPassForEachLaneOfABank) {
  for (const std::uint32_t contenders : {1U, 2U, 4U, 8U, 16U, 32U}) {
    EXPECT_EQ(shared_atomic_passes(contended(contenders), false, ga100()), contenders);
    EXPECT_EQ(shared_atomic_passes(contended(contenders), true, ga100()), 1U);
  }
  // Different words of one bank wait for each other as well, merged or not.
  EXPECT_EQ(shared_atomic_passes(strided(0, 128, 4), false, ga100()), 32U);
  EXPECT_EQ(shared_atomic_passes(strided(0, 128, 4), true, ga100()), 32U);
}

TEST(LocalMemory, SameOffsetOfAllLanesIsOneLine) {
  CoalescedAccess out;
  coalesce_local(strided(64, 0, 4), 1000, ga100(), out);
  ASSERT_EQ(out.line_count, 1U);
  EXPECT_EQ(out.lines[0].line, 1016U); // word 16 of the warp's window
  EXPECT_EQ(out.lines[0].sectors, 0xF);
}

} // namespace
} // namespace coulomb::timing::sm
