// SPDX-License-Identifier: Apache-2.0
#include "sim/power/thermal.hpp"

#include "base/config/gpu_catalogue.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace coulomb::power {
namespace {

config::GpuConfig a100() {
  return config::load_gpu("a100-pcie-40gb", {}).config;
}

TEST(Thermal, AllHeatLeavesThroughTheSink) {
  const config::GpuConfig gpu = a100();
  const ThermalNetwork network(gpu);
  const std::vector<double> sm_w(gpu.sms, 1.0);
  const Temperatures t = network.steady(sm_w, 42.0);
  EXPECT_NEAR(t.sink, 25 + 150 * 0.12, 1e-9);
  EXPECT_NEAR(t.spreader, t.sink + 150 * 0.027, 1e-9);
  EXPECT_GT(*std::min_element(t.sm.begin(), t.sm.end()), t.spreader);
}

TEST(Thermal, OneSmThatRunsAWattAboveItsNeighboursIsHotterByTheHealingLengthsFigure) {
  const config::GpuConfig gpu = a100();
  const ThermalNetwork network(gpu);
  std::vector<double> sm_w(gpu.sms, 1.0);
  const Temperatures even = network.steady(sm_w, 42.0);
  const std::size_t middle = 5 * network.columns() + 5;
  sm_w[middle] += 1.0;
  const Temperatures uneven = network.steady(sm_w, 41.0);
  EXPECT_NEAR(uneven.sm[middle] - even.sm[middle], 2.4, 0.6);
  EXPECT_NEAR(uneven.sm[0], even.sm[0], 0.05); // far away: not even felt
}

TEST(Thermal, TransientEndsInTheSteadyState) {
  const config::GpuConfig gpu = a100();
  const ThermalNetwork network(gpu);
  std::vector<double> sm_w(gpu.sms, 1.0);
  sm_w[7] = 2.0;
  Temperatures t = network.cold();
  network.advance(t, sm_w, 42.0, 2000.0);
  const Temperatures steady = network.steady(sm_w, 42.0);
  EXPECT_NEAR(t.sm[7], steady.sm[7], 0.01);
  EXPECT_NEAR(t.uncore, steady.uncore, 0.01);
  EXPECT_NEAR(t.sink, steady.sink, 0.01);
}

TEST(Thermal, DieFollowsWithinATenthOfASecondAndTheSpreaderWithinSeconds) {
  const config::GpuConfig gpu = a100();
  const ThermalNetwork network(gpu);
  const std::vector<double> sm_w(gpu.sms, 100.0 / gpu.sms);
  Temperatures t = network.cold();
  network.advance(t, sm_w, 40.0, 0.15);
  const double mean = std::accumulate(t.sm.begin(), t.sm.end(), 0.0) / gpu.sms;
  // Its own 50 ms are over; 100 W pass the part of the die that enabled SMs have.
  EXPECT_NEAR(mean - t.spreader, 100 * 0.04 * 826 / (108 * 3.75), 0.5);
  EXPECT_LT(t.spreader - t.sink, 0.5); // 2.5 s have only begun
}

} // namespace
} // namespace coulomb::power
