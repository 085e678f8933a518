// SPDX-License-Identifier: Apache-2.0
#include "base/config/gpu_catalogue.hpp"
#include "calibration/robust/perturbed_evaluators.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::calibration {
namespace {

TEST(CommonDraws, AreOtherGpusAndMoreOfThemChangeNone) {
  const auto noise = ModelNoise::load(default_model_noise());
  const config::GpuConfig gpu = config::load_gpu("a100-pcie-40gb").config;
  const GpuDraws four = common_draws(noise, gpu, 4);
  const GpuDraws two = common_draws(noise, gpu, 2);
  ASSERT_EQ(four.size(), 4U);
  EXPECT_THAT(two, testing::ElementsAre(four[0], four[1]));
  EXPECT_NE(four[0], four[1]);
  for (const auto& draw : four) {
    config::GpuConfig perturbed = gpu;
    EXPECT_THAT(config::apply_overrides(perturbed, draw), testing::Contains("dram.channel_gbps"));
  }
}

} // namespace
} // namespace coulomb::calibration
