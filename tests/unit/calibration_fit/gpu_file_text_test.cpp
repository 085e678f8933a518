// SPDX-License-Identifier: Apache-2.0
#include "calibration/fit/gpu_file_text.hpp"

#include "base/config/field.hpp"
#include "base/config/quantity.hpp"

#include "tests/unit/config/temporary_gpus.hpp"

#include <gmock/gmock.h>

namespace coulomb::calibration {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const config::Provenance kFit{.kind = "fit",
                              .source = "coulomb calibrate fit to \"a\\b\" (3 configurations)",
                              .confidence = "low",
                              .date = "2026-12-03",
                              .note = "MAPE 8 % -> 7 %\nsecond line"};

class GpuFileText : public config::TemporaryGpus {
protected:
  static config::ResolvedGpu fitted(const std::string& id) {
    auto gpu = config::load_gpu(id);
    gpu.config.kernel_start_cycles = 4321;
    gpu.config.cta_launch_interval = 1.0 / 3.0;
    gpu.provenance["kernel_start_cycles"] = kFit;
    gpu.provenance["cta_launch_interval"] = kFit;
    return gpu;
  }
  /// What a file says is what it was written from, the name of the file aside.
  static void expect_same(const config::ResolvedGpu& written, const config::ResolvedGpu& read) {
    EXPECT_TRUE(config::diff(written.config, read.config).empty());
    for (const auto& [key, source] : written.provenance) {
      const auto found = read.provenance.find(key);
      ASSERT_NE(found, read.provenance.end()) << key;
      EXPECT_EQ(found->second, source) << key;
    }
  }
};

TEST_F(GpuFileText, HoldsOnlyWhatDiffersFromThePresetAndLoadsAgain) {
  const auto gpu = fitted("a100-pcie-40gb");
  const std::string text = gpu_file_text(gpu, "a100-pcie-40gb", "First line.\nSecond line.");
  EXPECT_THAT(text, StartsWith("# First line.\n# Second line.\nextends = \"a100-pcie-40gb\"\n"));
  EXPECT_THAT(text, HasSubstr("kernel_start_cycles = \"4321 cycles\"\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("sm.l1")));
  const auto read = config::load_gpu(write("mine.toml", text));
  EXPECT_EQ(read.config.id, "mine");
  EXPECT_EQ(read.provenance.at("kernel_start_cycles"), kFit);
  expect_same(gpu, read);
}

TEST_F(GpuFileText, KeepsWhatAPresetThatExtendsAnotherChanged) {
  const auto gpu = fitted("rtx-a6000");
  const std::string preset = preset_for(gpu);
  EXPECT_EQ(preset, "rtx-3090"); // a file extends one level only
  expect_same(gpu, config::load_gpu(write("mine.toml", gpu_file_text(gpu, preset, ""))));
}

TEST_F(GpuFileText, WithoutAPresetHoldsEveryKey) {
  auto gpu = fitted("a100-pcie-40gb");
  const std::string alone = write("alone.toml", gpu_file_text(gpu, "", ""));
  const auto read = config::load_gpu(alone);
  EXPECT_TRUE(read.extends.empty());
  expect_same(gpu, read);
  EXPECT_EQ(preset_for(read), ""); // no preset of the installation
}

TEST_F(GpuFileText, AFittedFileCanBeFittedAgain) {
  const auto first = config::load_gpu(
      write("first.toml", gpu_file_text(fitted("a100-pcie-40gb"), "a100-pcie-40gb", "")));
  EXPECT_EQ(preset_for(first), "a100-pcie-40gb");
  auto gpu = first;
  gpu.config.kernel_start_cycles = 5000;
  const auto second =
      config::load_gpu(write("second.toml", gpu_file_text(gpu, preset_for(first), "")));
  expect_same(gpu, second);
}

} // namespace
} // namespace coulomb::calibration
