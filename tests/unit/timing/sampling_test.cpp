// SPDX-License-Identifier: Apache-2.0
#include "base/config/gpu_catalogue.hpp"
#include "sim/timing/gpu/sampling.hpp"

#include <gtest/gtest.h>

namespace coulomb::timing::gpu {
namespace {

/// 2 CTAs at a time, 8 simulated, of 100 instructions each.
SamplingPlan plan(double ctas_per_real_sm) {
  SamplingPlan p;
  p.sms = 1;
  p.resident = 2;
  p.ctas_per_real_sm = ctas_per_real_sm;
  return p;
}

/// The SM issues one instruction a cycle; CTAs end at `ends`.
std::vector<Completion> at_one_per_cycle(const std::vector<Cycle>& ends) {
  std::vector<Completion> all;
  for (const Cycle at : ends) {
    all.push_back({at, at});
  }
  return all;
}

TEST(Sampling, AddsTheCtasLeftOutAtTheRateOfInstructions) {
  // 20 CTAs of 100 instructions at one a cycle, whatever the order in which they end.
  EXPECT_DOUBLE_EQ(
      extrapolate_cycles(plan(20), at_one_per_cycle({200, 200, 400, 400, 600, 600, 800, 800})),
      2000.0);
  EXPECT_DOUBLE_EQ(
      extrapolate_cycles(plan(20), at_one_per_cycle({110, 290, 330, 420, 450, 610, 700, 800})),
      2000.0);
}

TEST(Sampling, LeavesTheDrainOfTheLastCtasOutOfTheRate) {
  auto all = at_one_per_cycle({200, 200, 400, 400, 600, 600, 800, 800});
  all.back().at = 1200; // one CTA alone at the end
  EXPECT_DOUBLE_EQ(extrapolate_cycles(plan(20), all), 1200.0 + 12 * 100.0);
}

TEST(Sampling, EndsWithTheSmThatGotOneCtaMore) {
  const auto all = at_one_per_cycle({200, 200, 400, 400, 600, 600, 800, 800});
  EXPECT_DOUBLE_EQ(extrapolate_cycles(plan(19.1), all), 2000.0);
}

TEST(Sampling, AddsNothingWhenTheWholeShareWasSimulated) {
  const auto all = at_one_per_cycle({200, 200, 400, 400, 600, 600, 800, 830});
  EXPECT_DOUBLE_EQ(extrapolate_cycles(plan(7.5), all), 830.0);
  EXPECT_DOUBLE_EQ(extrapolate_cycles(plan(20), {}), 0.0);
}

TEST(Sampling, LeavesOutWholeWavesSoThatTheLastIsAsFullAsTheGrids) {
  const auto gpu = config::load_gpu("a100-pcie-40gb").config;
  // 2,304 CTAs are 22 for the busiest of 108 SMs: 5 waves of 4 and 2 more.
  EXPECT_EQ(plan_sampling(gpu, 2304, 4, 1, 0).ctas_per_sm_limit, 18U);
  EXPECT_EQ(plan_sampling(gpu, 2304, 4, 1, 2).ctas_per_sm_limit, 10U);
  EXPECT_EQ(plan_sampling(gpu, 1000, 4, 1, 0).ctas_per_sm_limit, 10U); // all of its share
}

TEST(Sampling, SimulatesMoreOfShortCtas) {
  const auto gpu = config::load_gpu("a100-pcie-40gb").config;
  const std::uint64_t ctas = 108'000;
  EXPECT_EQ(plan_sampling(gpu, ctas, 4, 1, 0, 100'000.0).ctas_per_sm_limit, 16U);
  EXPECT_EQ(plan_sampling(gpu, ctas, 4, 1, 0, 5'000.0).ctas_per_sm_limit, 100U);
  EXPECT_EQ(plan_sampling(gpu, ctas, 4, 1, 0, 100.0).ctas_per_sm_limit, 1000U);
  EXPECT_EQ(plan_sampling(gpu, ctas, 4, 1, 4, 100.0).ctas_per_sm_limit, 16U); // as asked for
}

} // namespace
} // namespace coulomb::timing::gpu
