// SPDX-License-Identifier: Apache-2.0
// Recorded measurements as a device.
#include "tests/e2e/cli/coulomb_process.hpp"

#include "base/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

constexpr const char* kConvolutionTable = "replay:convolution/convolution_A100-PCIE-40GB";

TEST(HwReplay, AnswersWithTheLaunchesThatWereRecorded) {
  const Workplace workplace;
  const Json json =
      run(workplace, {"hw", "measure", "convolution", "--device", kConvolutionTable, "--param",
                      "block_size_x=64", "--param", "block_size_y=4", "--json"})
          .json();
  const Json& row = json.at("rows").at(0);
  EXPECT_EQ(row.at("status"), "ok");
  EXPECT_EQ(row.at("samples").at("count"), 32);
  EXPECT_DOUBLE_EQ(row.at("time_ms"), 1.8944);
  EXPECT_DOUBLE_EQ(row.at("samples").at("first_ms"), 2.011136);
  EXPECT_EQ(row.at("outcome").at("state").at("sm_clock_mhz"), 765.0);
}

TEST(HwReplay, AConfigurationThatWasNotRecordedNamesTheNearest) {
  const Workplace workplace;
  const Result result = run(
      workplace, {"hw", "measure", "sgemm", "--device", "replay:bat_gemm/bat_gemm_RTX-3090_half"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("nearest"));
}

TEST(HwReplay, OptionsThatWouldChangeNothingAreRefused) {
  const Workplace workplace;
  for (const Strings& more : {Strings{"--lock-clocks", "1095"},
                              {"--metrics", "basic"},
                              {"--cache-state", "cold"},
                              {"--power", "1"}}) {
    Strings args = {"hw", "measure", "convolution", "--device", kConvolutionTable};
    args.insert(args.end(), more.begin(), more.end());
    const Result result = run(workplace, args);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(more[0] + " has no effect on recorded measurements"));
  }
}

TEST(HwReplay, OfManyConfigurationsThoseThatWereNotRecordedAreLeftOut) {
  const Workplace workplace;
  const std::string file = workplace.path("replayed.json");
  const Json json = run(workplace, {"hw", "measure", "sgemm", "--device",
                                    "replay:bat_gemm/bat_gemm_RTX-3090_half", "--sample", "20",
                                    "--out", file, "--json"})
                        .json();
  EXPECT_EQ(json.at("rows").size() + json.at("left_out").size(), 20U);
  EXPECT_GT(json.at("rows").size(), 0U);
  EXPECT_GT(json.at("left_out").size(), 0U); // half of the space was recorded
  EXPECT_EQ(Json::parse(read_file(file)).at("gpu"), "rtx-3090");
}

} // namespace
} // namespace coulomb::e2e
