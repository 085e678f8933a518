// SPDX-License-Identifier: Apache-2.0
#include "base/config/gpu_catalogue.hpp"
#include "sim/timing/gpu/grid_estimate.hpp"

#include <gtest/gtest.h>

namespace coulomb::timing::gpu {
namespace {

/// One SM of 108 that ran 8 of its 20 CTAs, two at a time, 100 instructions each, one a cycle.
GridEstimate estimate(WorkProfile work, const SampleMeasures& measures) {
  auto gpu = config::load_gpu("a100-pcie-40gb").config;
  gpu.kernel_start_cycles = 0;
  work.ctas = 20ULL * gpu.sms;
  const SamplingPlan plan = plan_sampling(gpu, work.ctas, 2, 1, 4);
  BlockDispatcher dispatcher(gpu, work, 1, plan.ctas_per_sm_limit);
  for (std::uint64_t cta = 0; cta < 8; ++cta) {
    (void)dispatcher.next(0, 0);
  }
  for (Cycle at = 200; at <= 800; at += 200) {
    dispatcher.finished(0, at, at);
    dispatcher.finished(0, at, at);
  }
  return estimate_grid(gpu, plan, work, dispatcher, measures);
}

TEST(GridEstimate, AddsTheCtasLeftOutAndWhatTheLastStoresTook) {
  const auto grid = estimate({}, {.warp_instructions = 800, .drain = 30, .dram_busy = 0.0});
  EXPECT_DOUBLE_EQ(grid.cycles, 2030.0);
  EXPECT_DOUBLE_EQ(grid.scale, 20.0 * 108.0 / 8.0);
}

TEST(GridEstimate, CountsCtasByWhatTheyDoWhereTheyDiffer) {
  WorkProfile work;
  work.instructions = 50.0; // on average half of a simulated one: 10 of those
  const auto grid = estimate(work, {.warp_instructions = 800, .drain = 0, .dram_busy = 0.0});
  EXPECT_DOUBLE_EQ(grid.cycles, 1000.0);
  EXPECT_DOUBLE_EQ(grid.scale, 20.0 * 108.0 / 16.0);
}

TEST(GridEstimate, IsNeverFasterThanTheDataBusesOfDram) {
  const auto grid = estimate({}, {.warp_instructions = 800, .drain = 0, .dram_busy = 900.0});
  EXPECT_DOUBLE_EQ(grid.cycles, 900.0 * 20.0 / 8.0);
}

TEST(GridEstimate, IsNeverFasterThanTheLauncherStartsIdleCtas) {
  WorkProfile work;
  work.idle = 1'000'000;
  const auto grid = estimate(work, {.warp_instructions = 800, .drain = 0, .dram_busy = 0.0});
  const auto gpu = config::load_gpu("a100-pcie-40gb").config;
  EXPECT_DOUBLE_EQ(grid.cycles, (1'000'000.0 + 20.0 * 108.0) * gpu.cta_launch_interval);
}

} // namespace
} // namespace coulomb::timing::gpu
