// SPDX-License-Identifier: Apache-2.0
#include "sim/power/area.hpp"

#include "base/config/gpu_catalogue.hpp"

#include <gtest/gtest.h>

namespace coulomb::power {
namespace {

config::GpuConfig load(const char* gpu, const std::vector<std::string>& set = {}) {
  return config::load_gpu(gpu, set).config;
}

TEST(Area, OfShippedDiesIsThePublishedOneWithinThreePercent) {
  EXPECT_NEAR(estimate_area(load("a100-pcie-40gb")).total_mm2, 826, 826 * 0.01);
  EXPECT_NEAR(estimate_area(load("a100-80gb-pcie")).total_mm2, 826, 826 * 0.01);
  EXPECT_NEAR(estimate_area(load("rtx-3090")).total_mm2, 628.4, 628.4 * 0.03);
  EXPECT_NEAR(estimate_area(load("rtx-3080")).total_mm2, 628.4, 628.4 * 0.03); // the same die
  EXPECT_NEAR(estimate_area(load("rtx-a4000")).total_mm2, 392.5, 392.5 * 0.03);
  EXPECT_NEAR(estimate_area(load("rtx-3060")).total_mm2, 276, 276 * 0.03);
}

TEST(Area, OfAnSmIsThatOfTheDiePhoto) {
  EXPECT_NEAR(estimate_area(load("a100-pcie-40gb")).sm_mm2, 3.75, 0.01);
}

TEST(Area, GrowsByTheBlockThatIsChanged) {
  const double base = estimate_area(load("a100-pcie-40gb")).total_mm2;
  const auto change = [&](const char* set) {
    return estimate_area(load("a100-pcie-40gb", {set})).total_mm2 - base;
  };
  EXPECT_NEAR(change("sm.l1.size=256 KiB"), 128 * 64 * 0.47 / 192, 0.01);
  EXPECT_NEAR(change("sm.register_file.registers=131072"), 128 * 1.40, 0.01);
  EXPECT_NEAR(change("sm.max_warps=96"), 128 * 0.15, 0.01);
  EXPECT_NEAR(change("l2.slice_size=1 MiB"), 48 * 2.486, 0.01);
  EXPECT_NEAR(change("sm.register_file.read_ports=2"), 128 * 0.70, 0.01);
}

TEST(Area, DesignsWithinFivePercentAreTies) {
  const config::GpuConfig gpu = load("a100-pcie-40gb");
  EXPECT_TRUE(same_area(gpu, 826, 850));
  EXPECT_FALSE(same_area(gpu, 826, 900));
}

} // namespace
} // namespace coulomb::power
