// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/cli/specs.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

std::string write_rtx3090_table(const Workplace& workplace) {
  const std::string name = "bat_convolution_RTX-3090";
  const Cells small = {
      {"tile_size_x", "1"}, {"tile_size_y", "1"}, {"read_only", "0"}, {"use_padding", "1"}};
  write_table(workplace, "bat_convolution", name, {small});
  return name + ".csv";
}

Result validate(const Workplace& workplace, const std::string& table, const Strings& more) {
  Strings args = {"validate", "--silicon", table, "--sample", "3", "--seed", "1"};
  args.insert(args.end(), more.begin(), more.end());
  return run(workplace, args);
}

void expect_contract(const Json& j) {
  EXPECT_THAT(keys(j),
              IsSupersetOf({"schema",     "version",  "spec",       "gpu",         "table",
                            "clock",      "fidelity", "seed",       "sample",      "n",
                            "fitted",     "mape",     "median_ape", "p90_ape",     "bias",
                            "scale_free", "spearman", "kendall",    "top1_regret", "top5_regret",
                            "invalid",    "excluded", "gates",      "rows",        "host"}));
  EXPECT_THAT(keys(j["clock"]), IsSupersetOf({"sm_mhz", "mem_mhz"}));
  EXPECT_THAT(keys(j["sample"]), IsSupersetOf({"requested", "eligible", "drawn_eligible", "failing",
                                               "drawn_failing", "deciles"}));
  EXPECT_THAT(keys(j["scale_free"]), IsSupersetOf({"factor", "mape", "median_ape"}));
  EXPECT_THAT(keys(j["invalid"]), IsSupersetOf({"both", "silicon_only", "sim_only"}));
  EXPECT_EQ(j["sample"]["drawn_eligible"], 3);
  EXPECT_EQ(j["n"], 3) << j["rows"].dump(2);
  EXPECT_EQ(j["interrupted"], false);
  EXPECT_EQ(j["finished_rows"], j["drawn_rows"]);
  for (const auto& row : j["rows"]) {
    EXPECT_THAT(keys(row), IsSupersetOf({"row", "params", "silicon_ms", "sim_ms", "status",
                                         "silicon_status", "error"}));
  }
}

TEST(Validate, ReportsAnA100AtTheClockOfItsTable) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  const Result result = validate(workplace, write_a100_table(workplace), {"--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  Json j = result.json();
  expect_contract(j);
  EXPECT_EQ(j["spec"], "convolution");
  EXPECT_EQ(j["gpu"], "a100-pcie-40gb");
  EXPECT_EQ(j["clock"]["sm_mhz"], 765.0);
  EXPECT_EQ(j["sample"]["drawn_failing"], 1);
  EXPECT_EQ(j["invalid"]["both"], 1)
      << "registers x threads above 65,536, here as on silicon: " << j["rows"].dump(2);
}

TEST(Validate, ReportsAnRtx3090) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  const Result result = validate(workplace, write_rtx3090_table(workplace), {"--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  Json j = result.json();
  expect_contract(j);
  EXPECT_EQ(j["spec"], "convolution_bat");
  EXPECT_EQ(j["gpu"], "rtx-3090");
  EXPECT_EQ(j["clock"]["sm_mhz"], 1695.0);
}

TEST(Validate, DrawsTheSameConfigurationsOfTwoTables) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  const Cells small = {
      {"tile_size_x", "1"}, {"tile_size_y", "1"}, {"read_only", "0"}, {"use_padding", "1"}};
  write_table(workplace, "convolution", "convolution_A100-PCIE-40GB", {small});
  const std::string a100 = "convolution_A100-PCIE-40GB.csv";
  const std::string rtx = write_rtx3090_table(workplace);
  const auto rows_of = [&](const std::string& silicon, const std::string& also_in) {
    const Result result = run(workplace, {"validate", "--silicon", silicon, "--also-in", also_in,
                                          "--sample", "2", "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const Json report = result.json();
    EXPECT_EQ(report.at("sample").at("drawn_failing"), 0);
    EXPECT_GT(report.at("excluded").at("not recorded in " + also_in), 0);
    std::vector<Json> drawn;
    for (const auto& row : report.at("rows")) {
      Json params = row.at("params");
      params.erase("use_shmem"); // the other specification fixes these two
      params.erase("use_cmem");
      drawn.push_back(params);
    }
    std::sort(drawn.begin(), drawn.end());
    return drawn;
  };
  const auto drawn = rows_of(a100, rtx);
  EXPECT_EQ(drawn.size(), 2U);
  EXPECT_EQ(rows_of(rtx, a100), drawn);
}

TEST(Validate, RefusesASecondTableOfAnotherKernel) {
  const Workplace workplace;
  const std::string table = write_a100_table(workplace);
  Json error = error_of(
      validate(workplace, table, {"--also-in", "bat_gemm/bat_gemm_RTX-3090_half", "--json"}),
      "input");
  EXPECT_EQ(error.value("message", ""),
            "data/silicon/bat_gemm/bat_gemm_RTX-3090_half.csv.gz holds kernel sgemm, " + table +
                " holds convolution: they have no configuration in common");
  EXPECT_EQ(error.value("hint", ""),
            "configs/calibration/kernels.toml says which specifications are one kernel");
  const Result unknown =
      validate(workplace, table, {"--also-in", "bat_convolution/bat_convolution_RTX-309"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("bat_convolution/bat_convolution_RTX-3090"));
}

TEST(Validate, FailsWhenAGateDoes) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  const std::string table = write_a100_table(workplace);
  const Result result =
      validate(workplace, table, {"--json", "--fail-if", "mape >= 0", "--fail-if", "mape > 1000"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const Json gates = result.json()["gates"];
  ASSERT_EQ(gates.size(), 2U);
  EXPECT_EQ(gates[0]["fail_if"], "mape >= 0");
  EXPECT_EQ(gates[0]["failed"], true);
  EXPECT_EQ(gates[1]["failed"], false);
  EXPECT_EQ(validate(workplace, table, {"--fail-if", "mape > 1000"}).exit_code, 0);
}

TEST(Validate, TellsPeopleTheErrorAndWritesTheReport) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  const std::string table = write_a100_table(workplace);
  const Result result = validate(workplace, table, {"--out", "report.json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("validate   convolution on a100-pcie-40gb against " + table));
  EXPECT_THAT(result.out, HasSubstr("time error     mean "));
  EXPECT_THAT(result.out, HasSubstr("reproduce  coulomb validate --silicon " + table));
  expect_contract(Json::parse(read(workplace, "report.json")));
}

TEST(Validate, RefusesAnUnknownMetricInAGate) {
  const Workplace workplace;
  Json error = error_of(
      validate(workplace, write_a100_table(workplace), {"--json", "--fail-if", "mepa > 0.2"}),
      "input");
  EXPECT_THAT(error.value("message", ""), HasSubstr("(did you mean \"mape\"?)"));
}

TEST(Validate, RefusesAnUnknownTable) {
  const Workplace workplace;
  const Result result = validate(workplace, "convolution/convolution_A100-PCIE-40G", {});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("convolution/convolution_A100-PCIE-40GB"));
}

TEST(Validate, NamesTheLineOfABrokenDescription) {
  const Workplace workplace;
  const std::string table = write_a100_table(workplace);
  workplace.write("convolution_A100-PCIE-40GB.toml", "schema = 1\n[board\n");
  const Result result = validate(workplace, table, {"--json"});
  EXPECT_EQ(result.exit_code, 2);
  Json error = error_of(result, "input");
  EXPECT_THAT(error.value("message", ""), HasSubstr("convolution_A100-PCIE-40GB.toml:2"));
}

TEST(Validate, NamesAnUnknownKeyOfADescription) {
  const Workplace workplace;
  const std::string table = write_a100_table(workplace);
  const std::string toml = read(workplace, "convolution_A100-PCIE-40GB.toml");
  workplace.write("convolution_A100-PCIE-40GB.toml", "shema = 1\n" + toml);
  const Result result = validate(workplace, table, {"--json"});
  EXPECT_EQ(result.exit_code, 2);
  Json error = error_of(result, "input");
  EXPECT_THAT(error.value("message", ""), HasSubstr("shema"));
  EXPECT_THAT(error.value("message", ""), HasSubstr("did you mean \"schema\"?"));
}

TEST(Validate, RefusesAnotherBoardUnlessForced) {
  const Workplace workplace;
  const std::string table = write_a100_table(workplace);
  const Result result = validate(workplace, table, {"--gpu", "a100-sxm4-40gb"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--gpu a100-sxm4-40gb is not the board of " + table +
                                    ": that was measured on a100-pcie-40gb"));
  EXPECT_THAT(result.err, HasSubstr("use --gpu a100-pcie-40gb, or --force"));
}

} // namespace
} // namespace coulomb::e2e
