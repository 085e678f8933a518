// SPDX-License-Identifier: Apache-2.0
#include "base/eval/character.hpp"

#include <gtest/gtest.h>

namespace coulomb::eval {
namespace {

/// 1000 cycles on a chip of one SM with 4 sub-cores at 1 GHz, whose DRAM moves 8 bytes a cycle.
struct TimedRun {
  config::GpuConfig gpu;
  eval::SimOutcome outcome;
  TimedRun() {
    gpu.sms = 1;
    gpu.sm_clock_mhz = 1000.0;
    gpu.dram.channels = 2;
    gpu.dram.channel_gbps = 4.0;
    outcome.cycles = 1000.0;
  }
  [[nodiscard]] Character character() const { return character_of(outcome, gpu); }
  [[nodiscard]] double busy(const std::string& part) const {
    for (const Utilization& u : utilizations(outcome, gpu)) {
      if (u.part == part) {
        return u.busy;
      }
    }
    ADD_FAILURE() << part;
    return -1.0;
  }
};

TEST(Character, IsLimitedByTheBusiestPart) {
  TimedRun run;
  run.outcome.counters = {{"dram__bytes_read.sum", 4000.0},
                          {"dram__bytes_write.sum", 3000.0},
                          {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 700.0}};
  EXPECT_DOUBLE_EQ(run.busy("DRAM"), 0.875);
  EXPECT_DOUBLE_EQ(run.busy("shared memory"), 0.7);
  EXPECT_EQ(run.character().limiter, "DRAM");
  EXPECT_DOUBLE_EQ(run.character().utilization, 0.875);
  EXPECT_EQ(run.character().text(), "DRAM-bound");
}

TEST(Character, IsLatencyIfNothingIsBusyEnough) {
  TimedRun run;
  run.outcome.counters = {{"dram__bytes_read.sum", 4700.0}};
  EXPECT_EQ(run.character().limiter, "latency");
  EXPECT_DOUBLE_EQ(run.character().utilization, 0.5875);
  run.outcome.counters["dram__bytes_read.sum"] = 4800.0;
  EXPECT_EQ(run.character().limiter, "DRAM");
}

TEST(Character, CountsIntegerMultiplyAddsOnTheUnitsOfTheFp32Pipe) {
  TimedRun run;
  run.gpu.sm.pipes.fma = {2, 2, 4};
  run.gpu.sm.pipes.imad = {1, 2, 4};
  run.outcome.counters = {{"sm__inst_executed_pipe_fma.sum", 2000.0},
                          {"sm__inst_executed_pipe_fmaheavy.sum", 1000.0}};
  EXPECT_DOUBLE_EQ(run.busy("FP32 pipe"), 0.75); // 3000 of the 4 a cycle that 8 units do
  EXPECT_EQ(run.character().limiter, "FP32 pipe");
}

TEST(Character, KnowsAnFp64PipeThatSubCoresShare) {
  TimedRun run;
  run.outcome.counters = {{"sm__inst_executed_pipe_fp64.sum", 200.0}};
  EXPECT_DOUBLE_EQ(run.busy("FP64 pipe"), 0.2);
  run.gpu.sm.pipes.fp64_shared_by_sm = true;
  EXPECT_DOUBLE_EQ(run.busy("FP64 pipe"), 0.8);
}

TEST(Character, TellsKernelsWithLocalMemoryApart) {
  TimedRun run;
  run.outcome.counters = {{"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", 1.0}};
  EXPECT_TRUE(run.character().local_memory);
  EXPECT_EQ(run.character().text(), "latency-bound, with local memory");
}

TEST(Character, OfARunWithoutTimeIsLatency) {
  TimedRun run;
  run.outcome.cycles = 0.0;
  run.outcome.counters = {{"dram__bytes_read.sum", 4700.0}};
  EXPECT_EQ(run.character().limiter, "latency");
  EXPECT_EQ(run.busy("DRAM"), 0.0);
}

} // namespace
} // namespace coulomb::eval
