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

TEST(LocalMemory, SameOffsetOfAllLanesIsOneLine) {
  CoalescedAccess out;
  coalesce_local(strided(64, 0, 4), 1000, ga100(), out);
  ASSERT_EQ(out.line_count, 1U);
  EXPECT_EQ(out.lines[0].line, 1016U); // word 16 of the warp's window
  EXPECT_EQ(out.lines[0].sectors, 0xF);
}

} // namespace
} // namespace coulomb::timing::sm
