// SPDX-License-Identifier: Apache-2.0
#include "base/config/config_json.hpp"

#include "base/config/field.hpp"
#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::config {
namespace {

const std::string kGpus = COULOMB_SOURCE_DIR "/configs/gpu";

nlohmann::json example() {
  return nlohmann::json::parse(to_json_text(load_gpu("a100-pcie-40gb", {}, kGpus).config));
}

std::string error_of(const nlohmann::json& j) {
  try {
    (void)gpu_config_from_json(j.dump());
  } catch (const UserError& e) {
    return e.what();
  }
  return "no error";
}

TEST(ConfigJson, IsNestedLikeTheStructsWithBareNumbers) {
  const nlohmann::json j = example();
  EXPECT_EQ(j["sm"]["l1"]["size"], 196608);
  EXPECT_EQ(j["sm"]["pipes"]["fp64_shared_by_sm"], false);
  EXPECT_EQ(j["l2"]["sms_per_partition"], nlohmann::json({62, 46}));
  EXPECT_EQ(j["dram"]["channel_gbps"], 19.44);
  EXPECT_EQ(j["id"], "a100-pcie-40gb");
}

TEST(ConfigJson, RoundTripsEveryGpuExactly) {
  for (const std::string& id : list_gpus(kGpus)) {
    const GpuConfig config = load_gpu(id, {}, kGpus).config;
    const std::string text = to_json_text(config);
    const GpuConfig back = gpu_config_from_json(text);
    EXPECT_EQ(to_json_text(back), text);
    EXPECT_TRUE(diff(config, back).empty());
    EXPECT_EQ(back.id, id);
  }
}

TEST(ConfigJson, RoundTripsDoublesToTheLastBit) {
  GpuConfig config = load_gpu("rtx-3090", {}, kGpus).config;
  config.dram.latency_ns = 1.0 / 3.0 + 100.0;
  config.sm_clock_mhz = 0.1 + 1695.2;
  const GpuConfig back = gpu_config_from_json(to_json_text(config));
  EXPECT_EQ(back.dram.latency_ns, config.dram.latency_ns);
  EXPECT_EQ(back.sm_clock_mhz, config.sm_clock_mhz);
}

TEST(ConfigJson, RoundTripsTheDefaults) {
  const std::string text = to_json_text(GpuConfig{});
  EXPECT_EQ(to_json_text(gpu_config_from_json(text)), text);
}

TEST(ConfigJson, NamesEveryMistakeAtOnce) {
  nlohmann::json j = example();
  j["sm"]["l1"].erase("line");
  j["sm"]["l1"]["lien"] = 128;
  j["sms"] = "108";
  j["l2"]["slices"] = 0;
  j["dram"]["type"] = 6;
  EXPECT_EQ(error_of(j), "GPU configuration (JSON): sms: expected a number; found \"108\"\n"
                         "error: sm.l1.line: missing\n"
                         "error: l2.slices: out of range; allowed: 1 to 1024; found 0\n"
                         "error: dram.type: expected a text; found 6\n"
                         "error: sm.l1.lien: unknown key (did you mean \"sm.l1.line\"?)");
}

TEST(ConfigJson, RefusesWhatIsNoObject) {
  EXPECT_EQ(error_of(nlohmann::json::array()), "GPU configuration: expected one JSON object");
  EXPECT_THROW((void)gpu_config_from_json("{"), UserError);
}

} // namespace
} // namespace coulomb::config
