// SPDX-License-Identifier: Apache-2.0
#include "base/config/gpu_catalogue.hpp"
#include "sim/timing/instruction_timing.hpp"

#include <gtest/gtest.h>

namespace coulomb::timing {
namespace {

InstructionTiming timed(std::uint64_t low, std::uint64_t high, const char* gpu = "a100-pcie-40gb") {
  isa::KernelImage kernel;
  kernel.code.push_back(isa::decode(low, high, 0, "test"));
  return time_instructions(kernel, config::load_gpu(gpu).config.sm).front();
}

TEST(InstructionTiming, NamesAPipeForEveryOpcode) {
  for (int i = 0; i < isa::kOpcodeCount; ++i) {
    EXPECT_NO_THROW((void)pipe_of(static_cast<isa::Opcode>(i)))
        << isa::opcode_name(static_cast<isa::Opcode>(i));
  }
}

// FFMA R5, R2, c[0x3][0x8], R5 with stall 2 as the compiler emits it for the convolution.
TEST(InstructionTiming, FfmaWithAConstantReadsTwoRegistersAndTheConstantCache) {
  const auto t = timed(0x00c0020002057a23ULL, 0x004fc40000000005ULL);
  EXPECT_EQ(t.pipe, Pipe::fma);
  EXPECT_EQ(t.interval, 2);
  EXPECT_EQ(t.stall, 2);
  ASSERT_EQ(t.source_count, 2);
  EXPECT_EQ(t.sources[0].reg, 2);
  EXPECT_EQ(t.sources[0].slot, 0);
  EXPECT_EQ(t.sources[1].reg, 5);
  EXPECT_EQ(t.sources[1].slot, 2);
  EXPECT_TRUE(t.has_constant);
  EXPECT_EQ(t.constant_bank, 3);
  EXPECT_EQ(t.constant_offset, 8);
  EXPECT_EQ(t.wait_mask, 0b000100);
}

TEST(InstructionTiming, LoadsTakeTheVariableLatencyPath) {
  // LDG.E R4, [R2.64]
  const auto t = timed(0x0000000402047981ULL, 0x000ea2000c1e1900ULL);
  EXPECT_EQ(t.pipe, Pipe::lsu);
  EXPECT_EQ(t.path, MemoryPath::l1);
  EXPECT_EQ(t.source_count, 0);
  EXPECT_TRUE(t.long_latency);
  EXPECT_EQ(t.write_barrier, 2);
}

struct TensorCase {
  const char* text;
  std::uint64_t low;
  std::uint64_t high;
  std::uint16_t interval;
  std::uint16_t latency;
};

void expect_tensor(const TensorCase& c, const char* gpu) {
  const auto t = timed(c.low, c.high, gpu);
  EXPECT_EQ(t.interval, c.interval) << gpu << ": " << c.text;
  EXPECT_EQ(t.latency, c.latency) << gpu << ": " << c.text;
  EXPECT_TRUE(t.tensor) << c.text;
}

// Chains and rates of Luo et al. and Abdelkhalik et al. on A100.
TEST(InstructionTiming, TensorTimesFollowShapeTypeAndSparsity) {
  constexpr TensorCase kCases[] = {
      {"HMMA.16816.F32", 0x0000002c1804723cULL, 0x081ff00000001804ULL, 8, 25},
      {"HMMA.16816.F16", 0x000000020416723cULL, 0x000ff600000008ffULL, 8, 25},
      {"HMMA.1688.F32", 0x000000020408723cULL, 0x004fe200000010ffULL, 4, 21},
      {"HMMA.SP.16832.F32", 0x00040e080410723cULL, 0x004ff60000005affULL, 8, 25},
      {"HMMA.SP.16816.F32", 0x00030c100e10723cULL, 0x004fe20000001a04ULL, 4, 25},
      {"IMMA.16832.S8.S8", 0x00000002040c7237ULL, 0x0c8fe20000405cffULL, 8, 26},
      {"IMMA.16816.S8.S8", 0x00000002040c7237ULL, 0x0c0ff6000040540cULL, 4, 22},
      {"DMMA.884", 0x000000121010723fULL, 0x001e3600000000ffULL, 16, 26},
  };
  for (const TensorCase& c : kCases) {
    expect_tensor(c, "a100-pcie-40gb");
  }
}

TEST(InstructionTiming, GeForceAccumulatesInFp32AtHalfTheRate) {
  constexpr TensorCase kSingle{"HMMA.16816.F32", 0x0000002c1804723cULL, 0x081ff00000001804ULL, 32,
                               34};
  constexpr TensorCase kHalf{"HMMA.16816.F16", 0x000000020416723cULL, 0x000ff600000008ffULL, 16,
                             24};
  expect_tensor(kSingle, "rtx-3090");
  expect_tensor(kHalf, "rtx-3090");
  expect_tensor({kSingle.text, kSingle.low, kSingle.high, 16, 24}, "rtx-a6000");
  expect_tensor(kHalf, "rtx-a6000");
}

TEST(InstructionTiming, DmmaRunsOnTheFp64UnitWhereTheSmHasOne) {
  EXPECT_EQ(timed(0x000000121010723fULL, 0x001e3600000000ffULL).pipe, Pipe::tensor);
  const auto t = timed(0x000000121010723fULL, 0x001e3600000000ffULL, "rtx-3090");
  EXPECT_EQ(t.pipe, Pipe::fp64);
  EXPECT_EQ(t.interval, 128);
}

TEST(InstructionTiming, TensorInstructionNamesItsDestinationAndAccumulator) {
  // HMMA.16816.F32 R4, R24, R44.reuse, R4
  const auto chained = timed(0x0000002c1804723cULL, 0x081ff00000001804ULL);
  EXPECT_EQ(chained.destination, 4);
  EXPECT_EQ(chained.accumulator, 4);
  // HMMA.16816.F16 R22, R4, R2, RZ
  const auto first = timed(0x000000020416723cULL, 0x000ff600000008ffULL);
  EXPECT_EQ(first.destination, 22);
  EXPECT_EQ(first.accumulator, isa::kRegisterZero);
}

TEST(InstructionTiming, ConstantLoadTakesLongerWithItsAddressInARegister) {
  // LDC R0, c[0x0][R0+0x160]
  isa::KernelImage kernel;
  kernel.code.push_back(isa::decode(0x0000580000007b82ULL, 0x00321e0000000800ULL, 0, "test"));
  const config::SmConfig sm = config::load_gpu("rtx-a6000").config.sm;
  auto t = time_instructions(kernel, sm).front();
  EXPECT_EQ(t.latency, 29);
  EXPECT_EQ(t.read_release, 29);
  kernel.code.front().operands[1].index = isa::kRegisterZero;
  t = time_instructions(kernel, sm).front();
  EXPECT_EQ(t.latency, 26);
  EXPECT_EQ(t.read_release, 10);
}

TEST(InstructionTiming, KnowsAnAddressWithoutAVectorRegister) {
  // LDG.E R12, [R6.64]; LDS R9, [UR7+-0x20]; ATOMS.ADD R5, [RZ], R16
  EXPECT_FALSE(timed(0x00000004060c7981ULL, 0x000f22000c1e1900ULL).uniform_address);
  EXPECT_TRUE(timed(0xffffe007ff097984ULL, 0x000e680008000800ULL).uniform_address);
  EXPECT_TRUE(timed(0x00000010ff05938cULL, 0x0002220000000000ULL).uniform_address);
}

TEST(InstructionTiming, OnlyIncrementsByOneMergeLanes) {
  // ATOMS.POPC.INC.32 RZ, [URZ+0x24]; ATOMS.ADD R5, [RZ], R16
  EXPECT_TRUE(timed(0x00002400ffff7f8cULL, 0x000fe8000d00003fULL).merges_lanes);
  EXPECT_FALSE(timed(0x00000010ff05938cULL, 0x0002220000000000ULL).merges_lanes);
}

} // namespace
} // namespace coulomb::timing
