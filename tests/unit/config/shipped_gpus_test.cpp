// SPDX-License-Identifier: Apache-2.0
#include "base/config/field.hpp"
#include "base/config/toml_file.hpp"
#include "temporary_gpus.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <map>

namespace coulomb::config {
namespace {

using ::testing::ElementsAre;

class ShippedGpu : public ::testing::TestWithParam<std::string> {
protected:
  ResolvedGpu gpu_ = load_gpu(GetParam(), {}, kShippedGpus);
};

INSTANTIATE_TEST_SUITE_P(All,
                         ShippedGpu,
                         ::testing::ValuesIn(list_gpus(kShippedGpus)),
                         [](const auto& param) {
                           std::string name = param.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(ShippedGpu, GivesEveryParameterASource) {
  for (const std::string& key : keys()) {
    if (key == "id") {
      continue;
    }
    const auto found = gpu_.provenance.find(key);
    ASSERT_NE(found, gpu_.provenance.end()) << key << " has no provenance";
    EXPECT_NE(found->second.kind, "user") << key << " has no [[provenance]] of its own";
    EXPECT_NE(found->second.source, "") << key;
    EXPECT_NE(found->second.confidence, "") << key;
  }
  EXPECT_EQ(gpu_.provenance.size(), keys().size() - 1);
}

TEST_P(ShippedGpu, GivesASourceOfItsOwnToWhatItChanges) {
  if (gpu_.extends.empty()) {
    return;
  }
  const ResolvedGpu preset = load_gpu(gpu_.extends, {}, kShippedGpus);
  for (const Difference& d : diff(preset.config, gpu_.config)) {
    EXPECT_NE(gpu_.provenance.at(d.key), preset.provenance.at(d.key)) << d.key;
  }
}

TEST_P(ShippedGpu, RepeatsNoValueOfItsPreset) {
  if (gpu_.extends.empty()) {
    return;
  }
  const ResolvedGpu preset = load_gpu(gpu_.extends, {}, kShippedGpus);
  const auto changed = diff(preset.config, gpu_.config).size();
  const TomlFile file = read_toml_file(gpu_.path);
  EXPECT_EQ(file.settings.size(), changed + 1); // and the line `extends`
}

TEST_P(ShippedGpu, AssumptionsAreNeverOfHighConfidence) {
  for (const auto& [key, p] : gpu_.provenance) {
    EXPECT_FALSE(p.kind == "assumption" && p.confidence == "high") << key;
  }
}

TEST_P(ShippedGpu, CountsAddUp) {
  std::size_t sum = 0;
  for (const auto& entry : provenance_counts(gpu_)) {
    sum += entry.second;
  }
  EXPECT_EQ(sum, keys().size() - 1);
}

/// Published figures that follow from several parameters: a slip in one of them shows here.
struct Peak {
  std::string product;
  double dram_gbps;
  double fp32_tflops;
  double fp64_tflops;
  double tensor_tflops; ///< dense FP16, FP32 accumulation
  double l2_mib;
};

double pipe_tflops(const GpuConfig& c, const PipeConfig& pipe, double flops_per_instruction) {
  return c.sms * c.sm.warp_schedulers * pipe.units * flops_per_instruction / pipe.interval *
         c.sm_clock_mhz * 1e-6;
}

TEST_P(ShippedGpu, HasThePeaksOfItsDataSheet) {
  const std::map<std::string, Peak> peaks{
      {"a100-pcie-40gb", {"NVIDIA A100-PCIE-40GB", 1555.2, 19.5, 9.7, 312, 40}},
      {"a100-sxm4-40gb", {"NVIDIA A100-SXM4-40GB", 1555.2, 19.5, 9.7, 312, 40}},
      {"a100-80gb-pcie", {"NVIDIA A100 80GB PCIe", 1935, 19.5, 9.7, 312, 40}},
      {"rtx-3090", {"NVIDIA GeForce RTX 3090", 936, 35.6, 0.556, 71, 6}},
      {"rtx-a6000", {"NVIDIA RTX A6000", 768, 38.7, 0.605, 154.8, 6}},
      {"rtx-a4000", {"NVIDIA RTX A4000", 448, 19.2, 0.3, 76.7, 4}},
  };
  const Peak& peak = peaks.at(GetParam());
  const GpuConfig& c = gpu_.config;
  const auto near = [](double published) {
    return ::testing::DoubleNear(published, published * 0.006);
  };
  EXPECT_EQ(c.product, peak.product);
  EXPECT_THAT(c.dram.channels * c.dram.channel_gbps, near(peak.dram_gbps));
  EXPECT_THAT(pipe_tflops(c, c.sm.pipes.fma, 64), near(peak.fp32_tflops));
  const double fp64_units = c.sm.pipes.fp64_shared_by_sm ? 1.0 / c.sm.warp_schedulers : 1.0;
  EXPECT_THAT(fp64_units * pipe_tflops(c, c.sm.pipes.fp64, 64), near(peak.fp64_tflops));
  EXPECT_THAT(pipe_tflops(c, c.sm.pipes.tensor, 2 * 16 * 8 * 16), near(peak.tensor_tflops));
  EXPECT_EQ(c.l2.slices * c.l2.slice_size / 1048576.0, peak.l2_mib);
}

TEST(ShippedGpus, AreTheProductsOfTheDesign) {
  EXPECT_THAT(list_gpus(kShippedGpus),
              ElementsAre("a100-80gb-pcie", "a100-pcie-40gb", "a100-sxm4-40gb", "rtx-3090",
                          "rtx-a4000", "rtx-a6000"));
}

TEST(ShippedGpus, Ga10xSplitsItsLoadStoreUnitInHalf) {
  const GpuConfig a100 = load_gpu("a100-pcie-40gb", {}, kShippedGpus).config;
  const GpuConfig rtx3090 = load_gpu("rtx-3090", {}, kShippedGpus).config;
  EXPECT_EQ(a100.sm.lsu.accept_interval, 1U);
  EXPECT_EQ(a100.sm.lsu.bytes_per_cycle_32bit, 128U);
  EXPECT_EQ(rtx3090.sm.lsu.accept_interval, 2U);
  EXPECT_EQ(rtx3090.sm.lsu.bytes_per_cycle_32bit, 64U);
  EXPECT_EQ(rtx3090.sm.pipes.fma.units, 2U);
  EXPECT_EQ(rtx3090.sm.pipes.imad.units, 1U);
}

} // namespace
} // namespace coulomb::config
