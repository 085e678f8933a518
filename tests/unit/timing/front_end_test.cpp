// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/sm/instruction_caches.hpp"
#include "sim/timing/sm/tensor_interlock.hpp"

#include <gtest/gtest.h>

namespace coulomb::timing::sm {
namespace {

constexpr std::uint32_t kL2Latency = 200;

/// Cycles that one warp takes for straight code of `bytes` whose lines issue in `line_cycles` each,
/// on its `pass`-th time through.
Cycle straight_code(const config::FrontEndConfig& config,
                    std::uint32_t bytes,
                    Cycle line_cycles,
                    int pass) {
  InstructionCaches caches(config, 4, 16, kL2Latency, 2);
  SmCounters counters;
  Cycle now = 0;
  Cycle start = 0;
  for (int i = 0; i < pass; ++i) {
    start = now;
    for (std::uint32_t pc = 0; pc < bytes; pc += config.icache_line) {
      now = caches.fetch(0, 0, pc, now, counters) + line_cycles;
    }
  }
  return now - start;
}

TEST(InstructionCaches, CodeThatFitsL0NeverWaitsAgain) {
  EXPECT_EQ(straight_code({}, 16384, 8, 2), 16384U / 128 * 8);
}

// RTX 3060: 8.3 cycles per group of four FFMA, which is 16.6 a line, for straight code beyond L0.
TEST(InstructionCaches, StraightCodeBeyondL0RunsAtTheRateOfL1) {
  const Cycle lines = 65536 / 128;
  EXPECT_EQ(straight_code({}, 65536, 8, 2), lines * 17 + 77); // 77, 80: the start of the pass
  EXPECT_EQ(straight_code({}, 65536, 32, 2), lines * 32 + 80);
}

TEST(InstructionCaches, WithoutPrefetchEveryMissIsInTheOpen) {
  const Cycle lines = 65536 / 128;
  config::FrontEndConfig without;
  without.prefetch_depth = 0;
  EXPECT_EQ(straight_code(without, 65536, 32, 2), lines * (32 + 17 + 39));
}

TEST(InstructionCaches, ALineOnItsWayToL1IsNotThereForTheNextSubCore) {
  InstructionCaches caches({}, 4, 16, kL2Latency, 2);
  SmCounters counters;
  const Cycle first = caches.fetch(0, 0, 0, 10, counters);
  EXPECT_EQ(first, 10 + 2 + kL2Latency + 39);
  EXPECT_EQ(caches.fetch(1, 0, 0, 20, counters), first);
  EXPECT_EQ(counters.instruction_l1_misses, 2U); // the line and the one that the stream asks for
}

TEST(TensorInterlock, HoldsAnInstructionUntilItsAccumulatorIsWritten) {
  TensorInterlock interlock;
  interlock.start(3, 4, 125);
  EXPECT_EQ(interlock.free_at(3, 4), 125U);
  EXPECT_EQ(interlock.free_at(3, 8), 0U); // another accumulator
  EXPECT_EQ(interlock.free_at(2, 4), 0U); // another warp
  interlock.start(3, 4, 150);
  EXPECT_EQ(interlock.free_at(3, 4), 150U);
  interlock.reset();
  EXPECT_EQ(interlock.free_at(3, 4), 0U);
}

} // namespace
} // namespace coulomb::timing::sm
