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

} // namespace
} // namespace coulomb::timing
