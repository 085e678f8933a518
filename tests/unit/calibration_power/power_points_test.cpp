// SPDX-License-Identifier: Apache-2.0
#include "calibration/power/power_fit.hpp"

#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::calibration::power {
namespace {

using ::testing::HasSubstr;
namespace model = coulomb::power;

config::GpuConfig a100() {
  return config::load_gpu("a100-pcie-40gb").config;
}

SimulatedKernel kernel(double instructions, double dram_bytes, double mhz) {
  const double time_s = 1e-3 * 1410 / mhz;
  SimulatedKernel k;
  k.activity = {time_s,
                mhz,
                {{"smsp__inst_executed.sum", instructions},
                 {"dram__bytes_read.sum", dram_bytes},
                 {"sm__cycles_active.sum", 108 * 1.41e6}}};
  k.retiming = model::retiming_of(a100(), k.activity, 0.5);
  return k;
}

FitPoint fit_point(double instructions, double dram_bytes, double mhz, double scale, bool held) {
  FitPoint p;
  p.gpu = a100();
  p.point.sm_clock_mhz = mhz;
  p.held_out = held;
  p.kernel = kernel(instructions, dram_bytes, mhz);
  config::GpuConfig truth = p.gpu;
  for (double config::EnergyConfig::*member : energy_groups()[1].members) {
    truth.power.energy.*member *= scale;
  }
  model::OperatingPoint at = model::default_point(truth);
  at.sm_clock_mhz = mhz;
  p.point.value = model::estimate_power(truth, p.kernel.activity, at).reading_w;
  return p;
}

TEST(PowerPoints, OfTheShippedTableAreReadWithTheirRoles) {
  const auto points = read_power_points(home_dir() + "/data/power/points.csv");
  ASSERT_EQ(points.size(), 77U);
  EXPECT_EQ(points[0].group, "idle");
  EXPECT_TRUE(points[0].fitted);
  EXPECT_EQ(points[0].value, 34.0);
  EXPECT_EQ(points[21].limit_w, 150.0);
}

TEST(PowerPoints, ApplicationIsFittedAtItsLowestClockAndCheckedAtTheOthers) {
  const LoadGpu load = [](const std::string&) { return a100(); };
  std::vector<PowerPoint> points;
  for (const double mhz : {1005.0, 1410.0}) {
    PowerPoint p;
    p.group = "application";
    p.gpu = "a100-pcie-40gb";
    p.application = "app";
    p.sm_clock_mhz = mhz;
    p.work_rate = mhz / 1410;
    p.unit = "W";
    p.value = mhz < 1100 ? 120.0 : 200.0;
    p.tolerance = 5.0;
    points.push_back(p);
  }
  const auto checks = check_power_points(points, load, nullptr);
  EXPECT_TRUE(checks[0].fitted);
  EXPECT_NEAR(*checks[0].predicted, 120.0, 0.01);
  EXPECT_FALSE(checks[1].fitted);
  EXPECT_GT(*checks[1].predicted, 170.0);
}

TEST(PowerFit, FindsTheFactorThatMadeTheData) {
  std::vector<FitPoint> points;
  for (const double mhz : {600.0, 1005.0, 1410.0}) {
    points.push_back(fit_point(3e9, 1e6, mhz, 1.4, false));
    points.push_back(fit_point(1e8, 1e9, mhz, 1.4, true));
  }
  const PowerFit fit = fit_energies(points);
  EXPECT_NEAR(fit.groups[1].factor, 1.4, 0.05);
  EXPECT_EQ(fit.fitted, 3U);
  EXPECT_EQ(fit.held_out, 3U);
  EXPECT_LT(fit.fitted_after, 0.01);
  EXPECT_LT(fit.fitted_after, fit.fitted_before);
}

TEST(PowerFit, KeepsFactorsWithinTheirRange) {
  std::vector<FitPoint> points = {fit_point(3e9, 1e6, 1410, 9.0, false)};
  const PowerFit fit = fit_energies(points);
  for (const FittedGroup& group : fit.groups) {
    EXPECT_GE(group.factor, kLeastFactor) << group.name;
    EXPECT_LE(group.factor, kGreatestFactor) << group.name;
  }
}

TEST(PowerFit, RefusesToFitNothing) {
  try {
    (void)fit_energies({fit_point(3e9, 1e6, 1410, 1.0, true)});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no kernel's power is to be fitted"));
  }
}

} // namespace
} // namespace coulomb::calibration::power
