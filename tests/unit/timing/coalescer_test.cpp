// SPDX-License-Identifier: Apache-2.0
// Rates: gpu-benches L1 stride curve on A100 and RTX 3060 shared-memory bandwidth, see configs/gpu.
#include "sim/timing/sm/coalescer.hpp"

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
config::LsuConfig ga10x() {
  config::LsuConfig c;
  c.bytes_per_cycle_32bit = 64;
  return c;
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

// gpu-benches on A100: 1.62, 2.67, 3.03 and 5.1 tag wavefronts per load at these strides.
TEST(Coalescer, MeanTagPassesFollowTheMeasuredStrideCurve) {
  struct Point {
    std::uint32_t stride;
    double passes;
  };
  for (const Point p : {Point{1, 1.05}, {3, 1.53}, {7, 2.62}, {9, 3.05}, {17, 5.02}}) {
    std::uint32_t sum = 0;
    constexpr std::uint32_t kStarts = 4096; // words, as the loads of a benchmark begin anywhere
    for (std::uint32_t start = 0; start < kStarts; ++start) {
      CoalescedAccess out;
      coalesce_global(strided(start * 4, p.stride * 4, 4), ga100(), out);
      sum += out.tag_passes;
    }
    EXPECT_NEAR(static_cast<double>(sum) / kStarts, p.passes, 0.02) << "stride " << p.stride;
  }
}

TEST(Coalescer, TagBankXorsTheDigitsOfTheLine) {
  EXPECT_EQ(tag_bank(0, 4), 0U);
  EXPECT_EQ(tag_bank(3, 4), 3U);
  EXPECT_EQ(tag_bank(4, 4), 1U);
  EXPECT_EQ(tag_bank(5, 4), 0U);
  EXPECT_EQ(tag_bank(std::uint64_t{2} << 40, 4), 2U);
  EXPECT_EQ(tag_bank(9, 8), 0U); // digits 1 and 1 to the base of 8
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

TEST(SharedMemory, Ga10xMovesHalfAWarpOfWordsACycle) {
  EXPECT_EQ(shared_passes(strided(0, 4, 4), ga10x()), 2U);
  EXPECT_EQ(shared_passes(strided(0, 8, 8), ga10x()), 2U);
  EXPECT_EQ(conflict_free_passes(strided(0, 4, 4), ga10x()), 2U);
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
