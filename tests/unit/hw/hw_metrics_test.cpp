// SPDX-License-Identifier: Apache-2.0
#include "cli/hw_metrics.hpp"

#include "base/error.hpp"
#include "tests/unit/hw/cupti_here.hpp"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::cli {
namespace {

using ::testing::HasSubstr;

struct Printed {
  int exit_code = 0;
  std::string output;
};

Printed run(const std::vector<std::string>& args) {
  ::testing::internal::CaptureStdout();
  Printed result;
  try {
    result.exit_code = run_hw_metrics(args);
  } catch (...) {
    (void)::testing::internal::GetCapturedStdout();
    throw;
  }
  std::fflush(stdout);
  result.output = ::testing::internal::GetCapturedStdout();
  return result;
}

TEST(HwMetrics, WithoutNamesListsTheSets) {
  const Printed sets = run({});
  EXPECT_EQ(sets.exit_code, 0);
  EXPECT_THAT(sets.output, HasSubstr("basic       13 metrics  "));
  const auto json = nlohmann::json::parse(run({"--json"}).output);
  EXPECT_EQ(json["sets"][0]["set"], "basic");
}

TEST(HwMetrics, ChecksASetAndCountsItsPasses) {
  COULOMB_NEEDS_CUPTI(catalogue);
  (void)catalogue;
  const Printed text = run({"--set", "basic", "--chip", "GA100"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.output, HasSubstr("GA100: 13 known, 0 unknown; the known ones together take "));
  const auto json =
      nlohmann::json::parse(run({"--set", "memory", "--chip", "GA102", "--json"}).output);
  EXPECT_EQ(json["chip"], "GA102");
  EXPECT_EQ(json["unknown"], 0);
  EXPECT_GT(json["passes"], 1);
  EXPECT_EQ(json["not_on_this_chip"][0], "lts__t_sectors_srcunit_ltcfabric.sum");
  EXPECT_EQ(json["metrics"][0]["unit"], "l1tex_request");
}

TEST(HwMetrics, AnUnknownMetricIsExitCode2AndASuggestion) {
  COULOMB_NEEDS_CUPTI(catalogue);
  (void)catalogue;
  const Printed text = run({"dram__bytes_reed.sum", "sm__cycles_elapsed.max", "ipc"});
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_THAT(text.output, HasSubstr("UNKNOWN    GA100 has no metric dram__bytes_reed; did you "
                                     "mean \"dram__bytes_read.sum\"?"));
  EXPECT_THAT(text.output, HasSubstr("GA100: 1 known, 2 unknown; the known ones together take 1 "
                                     "pass "));
  const Printed json = run({"ipc", "--json"});
  EXPECT_EQ(json.exit_code, 2);
  const auto parsed = nlohmann::json::parse(json.output);
  EXPECT_EQ(parsed["metrics"][0]["did_you_mean"], "sm__inst_executed.avg.per_cycle_active");
  EXPECT_EQ(parsed["passes"], 0);
}

TEST(HwMetrics, WithoutCuptiIsExitCode3AndAFix) {
  ::setenv("COULOMB_CUPTI", "/nowhere/libcupti.so", 1);
  int exit_code = 0;
  std::string hint;
  try {
    (void)run({"ipc"});
  } catch (const Error& e) {
    exit_code = e.exit_code();
    hint = e.hint();
  }
  ::unsetenv("COULOMB_CUPTI");
  EXPECT_EQ(exit_code, 3);
  EXPECT_THAT(hint, HasSubstr("CUDA"));
}

TEST(HwMetrics, RefusesASetAndAFileTogether) {
  EXPECT_THROW(run({"--set", "basic", "--file", "x.toml"}), UserError);
  EXPECT_THROW(run({"--set", "basik"}), UserError);
}

} // namespace
} // namespace coulomb::cli
