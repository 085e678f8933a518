// SPDX-License-Identifier: Apache-2.0
#include "sim/power/islands.hpp"

#include "base/config/gpu_catalogue.hpp"

#include <gtest/gtest.h>

namespace coulomb::power {
namespace {

class Islands : public ::testing::Test {
protected:
  config::GpuConfig gpu = config::load_gpu("a100-pcie-40gb").config;
  /// Ten full waves of one CTA an SM.
  CtaWork work{1080, 1, 1e5};
  Activity activity{1080.0 / 108 * 1e5 / 1.41e9,
                    1410,
                    {{"sm__cycles_active.sum", 1080 * 1e5}, {"smsp__inst_executed.sum", 5e9}}};
  IslandStudy study;
};

TEST_F(Islands, WithoutVariationCostTheLossOfTheirRegulators) {
  study.sigma = 0.0;
  const auto outcomes = study_islands(gpu, activity, work, study);
  ASSERT_EQ(outcomes.size(), 2U);
  EXPECT_DOUBLE_EQ(outcomes[1].time_s, outcomes[0].time_s);
  EXPECT_GT(outcomes[1].energy_j, outcomes[0].energy_j);
}

TEST_F(Islands, SaveMoreTheMoreSmsDiffer) {
  study.conversion_loss = 0.0;
  double last = 1.0;
  for (const double sigma : {0.005, 0.01, 0.02}) {
    study.sigma = sigma;
    const auto outcomes = study_islands(gpu, activity, work, study);
    const double ratio = outcomes[1].energy_j / outcomes[0].energy_j;
    EXPECT_LT(ratio, last);
    last = ratio;
  }
  EXPECT_LT(last, 0.97);
}

TEST_F(Islands, AtTwoClocksGiveFasterSmsMoreCtasAndCostMoreThanOneClock) {
  study.sigma = 0.0;
  study.conversion_loss = 0.0;
  gpu.sm_clock_mhz = 1230;
  study.spread_mhz = 180;
  const auto outcomes = study_islands(gpu, activity, work, study);
  ASSERT_EQ(outcomes.size(), 4U);
  // Power is convex in the clock: the uniform clock that is as fast takes less.
  EXPECT_NEAR(outcomes[3].time_s, outcomes[2].time_s, 0.02 * outcomes[2].time_s);
  EXPECT_GT(outcomes[2].energy_j, outcomes[3].energy_j);
}

TEST_F(Islands, BoundaryLatencyLengthensTheKernel) {
  study.latency_sensitivity = 0.001;
  study.boundary_cycles = 4;
  const auto outcomes = study_islands(gpu, activity, work, study);
  EXPECT_NEAR(outcomes[1].time_s / outcomes[0].time_s, 1.004, 1e-9);
}

TEST_F(Islands, GatingSavesWhatIdleSmsLeakInTheTail) {
  study.sigma = 0.0;
  study.conversion_loss = 0.0;
  work.ctas = 109; // one SM works for a second wave, all others idle
  const double on = study_islands(gpu, activity, work, study)[1].energy_j;
  study.gate_idle_sms = true;
  EXPECT_LT(study_islands(gpu, activity, work, study)[1].energy_j, on);
}

TEST_F(Islands, SameSeedSameOutcome) {
  const auto a = study_islands(gpu, activity, work, study);
  const auto b = study_islands(gpu, activity, work, study);
  EXPECT_EQ(a[1].energy_j, b[1].energy_j);
  study.seed = 2;
  EXPECT_NE(study_islands(gpu, activity, work, study)[1].energy_j, a[1].energy_j);
}

} // namespace
} // namespace coulomb::power
