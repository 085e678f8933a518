// SPDX-License-Identifier: Apache-2.0
#include "base/config/field.hpp"
#include "base/config/toml_file.hpp"
#include "temporary_gpus.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <map>

namespace coulomb::config {
namespace {

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

/// Published figures, written down apart from the GPU files: a slip in a number, or in one of the
/// several that a peak follows from, shows here.
struct Published {
  const char* product;
  const char* chip;
  std::uint32_t architecture;
  std::uint32_t sms;
  double base_mhz;
  double boost_mhz;
  const char* memory;
  std::uint32_t bus_bits;
  double gbit_per_pin;
  double dram_gbps;
  double fp32_tflops;
  double fp64_tflops;
  double tensor_tflops; ///< dense FP16, FP32 accumulation
  double l2_mib;
  const char* source;
};

const std::map<std::string, Published>& published() {
  static const std::map<std::string, Published> kPublished{
      {"a100-pcie-40gb",
       {"NVIDIA A100-PCIE-40GB", "GA100", 80, 108, 765, 1410, "HBM2", 5120, 2.43, 1555, 19.5, 9.7,
        312, 40, "A100 data sheet (June 2021) and whitepaper, table 1; base clock: product brief"}},
      {"a100-sxm4-40gb",
       {"NVIDIA A100-SXM4-40GB", "GA100", 80, 108, 1095, 1410, "HBM2", 5120, 2.43, 1555, 19.5, 9.7,
        312, 40, "A100 data sheet (June 2021) and whitepaper, table 1"}},
      {"a100-sxm4-80gb",
       {"NVIDIA A100-SXM4-80GB", "GA100", 80, 108, 1275, 1410, "HBM2e", 5120, 3.186, 2039, 19.5,
        9.7, 312, 40, "A100 data sheet (June 2021)"}},
      {"a100-80gb-pcie",
       {"NVIDIA A100 80GB PCIe", "GA100", 80, 108, 1065, 1410, "HBM2e", 5120, 3.024, 1935, 19.5,
        9.7, 312, 40, "A100 data sheet (June 2021)"}},
      {"a40",
       {"NVIDIA A40", "GA102", 86, 84, 1305, 1740, "GDDR6", 384, 14.5, 696, 37.4, 0.585, 149.7, 6,
        "A40 data sheet: 37.4 and 149.7 TFLOP/s, 696 GB/s; L2: GA102 whitepaper"}},
      {"rtx-a6000",
       {"NVIDIA RTX A6000", "GA102", 86, 84, 1410, 1800, "GDDR6", 384, 16, 768, 38.7, 0.605, 154.8,
        6, "RTX A6000 data sheet; GA102 whitepaper, appendix"}},
      {"rtx-a4000",
       {"NVIDIA RTX A4000", "GA104", 86, 48, 735, 1560, "GDDR6", 256, 14, 448, 19.2, 0.3, 76.7, 4,
        "RTX A4000 data sheet: 19.2 TFLOP/s, 153.4 with sparsity, 448 GB/s"}},
      {"rtx-3090",
       {"NVIDIA GeForce RTX 3090", "GA102", 86, 82, 1395, 1695, "GDDR6X", 384, 19.5, 936, 35.6,
        0.556, 71, 6, "GA102 whitepaper, table of GeForce products"}},
      {"rtx-3080",
       {"NVIDIA GeForce RTX 3080", "GA102", 86, 68, 1440, 1710, "GDDR6X", 320, 19, 760, 29.8, 0.465,
        59.5, 5, "GA102 whitepaper, table of GeForce products"}},
      {"rtx-3070",
       {"NVIDIA GeForce RTX 3070", "GA104", 86, 46, 1500, 1725, "GDDR6", 256, 14, 448, 20.3, 0.317,
        40.6, 4, "GA102 whitepaper, table of GeForce products"}},
      {"rtx-3060",
       {"NVIDIA GeForce RTX 3060", "GA106", 86, 28, 1320, 1777, "GDDR6", 192, 15, 360, 12.7, 0.199,
        25.5, 3, "GeForce RTX 3060 specification; tensor: a quarter of its 102 with sparsity"}},
  };
  return kPublished;
}

double pipe_tflops(const GpuConfig& c, const PipeConfig& pipe, double flops_per_instruction) {
  return c.sms * c.sm.warp_schedulers * pipe.units * flops_per_instruction / pipe.interval *
         c.sm_clock_mhz * 1e-6;
}

auto near(double value) {
  return ::testing::DoubleNear(value, value * 0.006);
}

TEST_P(ShippedGpu, IsTheProductOfItsDataSheet) {
  ASSERT_TRUE(published().contains(GetParam())) << "no published figures to compare with";
  const Published& p = published().at(GetParam());
  const GpuConfig& c = gpu_.config;
  EXPECT_EQ(c.product, p.product);
  EXPECT_EQ(c.chip, p.chip);
  EXPECT_EQ(c.architecture, p.architecture);
  EXPECT_EQ(c.sms, p.sms) << p.source;
  EXPECT_EQ(c.base_clock_mhz, p.base_mhz) << p.source;
  EXPECT_EQ(c.sm_clock_mhz, p.boost_mhz) << p.source;
  EXPECT_EQ(c.l2.slices * c.l2.slice_size / 1048576.0, p.l2_mib) << p.source;
}

TEST_P(ShippedGpu, HasThePeakRatesOfItsDataSheet) {
  const Published& p = published().at(GetParam());
  const GpuConfig& c = gpu_.config;
  EXPECT_THAT(pipe_tflops(c, c.sm.pipes.fma, 64), near(p.fp32_tflops)) << p.source;
  const double fp64_units = c.sm.pipes.fp64_shared_by_sm ? 1.0 / c.sm.warp_schedulers : 1.0;
  EXPECT_THAT(fp64_units * pipe_tflops(c, c.sm.pipes.fp64, 64), near(p.fp64_tflops)) << p.source;
  const TensorConfig& tensor = c.sm.pipes.tensor;
  EXPECT_THAT(pipe_tflops(c, {tensor.units, tensor.interval, tensor.latency}, 2 * 16 * 8 * 16),
              near(p.tensor_tflops))
      << p.source;
}

/// Channels x width x rate is the published bandwidth. Channels are 64 bits wide in HBM2 (JESD235,
/// pseudo-channel mode) and 16 bits in GDDR6 (JESD250); NVIDIA's tools print half the rate of a
/// pin.
TEST_P(ShippedGpu, HasTheMemoryOfItsDataSheet) {
  const Published& p = published().at(GetParam());
  const GpuConfig& c = gpu_.config;
  EXPECT_EQ(c.dram.type, p.memory);
  const std::uint32_t channel_bits = std::string(p.memory).starts_with("HBM") ? 64 : 16;
  EXPECT_EQ(c.dram.channels * channel_bits, p.bus_bits) << p.source;
  EXPECT_THAT(c.dram.channel_gbps, near(channel_bits * p.gbit_per_pin / 8)) << p.source;
  EXPECT_THAT(c.dram.channels * c.dram.channel_gbps, near(p.dram_gbps)) << p.source;
  EXPECT_THAT(2 * c.memory_clock_mhz * 1e-3, near(p.gbit_per_pin)) << p.source;
  EXPECT_EQ(c.l2.slices % c.dram.channels, 0U);
}

/// CUDA C++ Programming Guide, technical specifications per compute capability; the slots and
/// carve-outs also stand in the occupancy header of the CUDA Toolkit.
TEST_P(ShippedGpu, HasTheLimitsOfItsComputeCapability) {
  constexpr std::uint32_t kKib = 1024;
  const SmConfig& sm = gpu_.config.sm;
  const bool ga100 = gpu_.config.architecture == 80;
  EXPECT_EQ(sm.warp_schedulers, 4U);
  EXPECT_EQ(sm.max_warps, ga100 ? 64U : 48U);
  EXPECT_EQ(sm.max_ctas, ga100 ? 32U : 16U);
  EXPECT_EQ(sm.max_threads_per_cta, 1024U);
  EXPECT_EQ(sm.register_file.registers, 64 * kKib);
  EXPECT_EQ(sm.register_file.allocation_unit, 256U);
  EXPECT_EQ(sm.l1.size, (ga100 ? 192 : 128) * kKib);
  EXPECT_EQ(sm.shared.max_per_cta, (ga100 ? 163 : 99) * kKib);
  EXPECT_EQ(sm.shared.max_static_per_cta, 48 * kKib);
  EXPECT_EQ(sm.shared.reserved_per_cta, kKib);
  std::vector<std::uint32_t> carveouts{0, 8, 16, 32, 64, 100};
  if (ga100) {
    carveouts.insert(carveouts.end(), {132, 164});
  }
  for (std::uint32_t& size : carveouts) {
    size *= kKib;
  }
  EXPECT_EQ(sm.shared.carveouts, carveouts);
  EXPECT_EQ(sm.lsu.banks, 32U);
}

/// Results per cycle and SM, arithmetic throughput table of the same guide.
TEST_P(ShippedGpu, HasTheArithmeticThroughputOfItsComputeCapability) {
  const PipesConfig& pipes = gpu_.config.sm.pipes;
  const bool ga100 = gpu_.config.architecture == 80;
  const auto per_sm = [](const PipeConfig& pipe) { return 4 * 32 * pipe.units / pipe.interval; };
  EXPECT_EQ(per_sm(pipes.fma), ga100 ? 64U : 128U);
  EXPECT_EQ(per_sm(pipes.imad), 64U);
  EXPECT_EQ(per_sm(pipes.alu), 64U);
  EXPECT_EQ(per_sm(pipes.xu), 16U);
  EXPECT_EQ(per_sm(pipes.fp64) / (pipes.fp64_shared_by_sm ? 4 : 1), ga100 ? 32U : 2U);
}

TEST(ShippedGpus, AreTheProductsThatFiguresArePublishedFor) {
  std::vector<std::string> ids;
  for (const auto& entry : published()) {
    ids.push_back(entry.first);
  }
  EXPECT_EQ(list_gpus(kShippedGpus), ids);
}

TEST(ShippedGpus, Ga10xSplitsItsLoadStoreUnitInHalf) {
  const GpuConfig a100 = load_gpu("a100-pcie-40gb", {}, kShippedGpus).config;
  const GpuConfig rtx3090 = load_gpu("rtx-3090", {}, kShippedGpus).config;
  EXPECT_EQ(a100.sm.lsu.accept_interval, 1U);
  EXPECT_EQ(rtx3090.sm.lsu.accept_interval, 2U);
  EXPECT_EQ(rtx3090.sm.pipes.fma.units, 2U);
  EXPECT_EQ(rtx3090.sm.pipes.imad.units, 1U);
}

} // namespace
} // namespace coulomb::config
