// SPDX-License-Identifier: Apache-2.0
// `calibrate fit` closes the loop: "silicon" is the simulator itself with another value.
#include "tests/e2e/cli/specs.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace coulomb::e2e {
namespace {

using Json = nlohmann::json;
using Strings = std::vector<std::string>;
using testing::HasSubstr;

constexpr int kTruth = 6000; ///< kernel_start_cycles with which "silicon" ran

/// `file` over 16 configurations, as if `gpu` had been measured with `spec`: FILE_GPU.csv.
std::string write_measured(const Workplace& workplace,
                           const std::string& gpu,
                           const std::string& file = "small.json",
                           const std::string& spec = "saxpy",
                           int elements = 65'536) {
  const Result ran = run(workplace, {"run", file, "--gpu", gpu, "--sms", "1", "--set",
                                     fmt::format("kernel_start_cycles={}", kTruth), "--param",
                                     "vector_width=1", "--axis", "block_size=64,128,256,512",
                                     "--axis", "elements_per_thread=1,2,4,8", "--json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  std::string rows = "block_size,elements_per_thread,vector_width,status,time_ms\n";
  for (const Json& r : ran.json()) {
    rows += fmt::format("{},{},1,ok,{}\n", r["params"]["block_size"].get<int>(),
                        r["params"]["elements_per_thread"].get<int>(), r["time_ms"].get<double>());
  }
  const Json shown = run(workplace, {"config", "show", gpu, "--json"}).json();
  const std::string name = file.substr(0, file.find('.')) + "_" + gpu;
  workplace.write(name + ".csv", rows);
  workplace.write(name + ".toml",
                  fmt::format(R"(schema = 1
[board]
gpu = "{}"
sm_clock_mhz = {}
memory_clock_mhz = {}
clock_note = "simulated"
[kernel]
spec = "{}"
problem_size = [{}]
parameters = ["block_size", "elements_per_thread", "vector_width"]
[kernel.defaults]
[time]
column = "time_ms"
statistic = "one run"
cache_state = "warm"
[status]
column = "status"
[status.words]
ok = "ok"
[provenance]
repository = "none"
commit = "none"
file = "none"
licence = "Apache-2.0"
copyright = "none"
measured = "2026-12-03"
changes = "none"
notes = ["made by a test"]
)",
                              gpu, shown["config"]["sm_clock_mhz"].get<double>(),
                              shown["config"]["memory_clock_mhz"].get<double>(), spec, elements));
  return name + ".csv";
}

class CalibrateFit : public testing::Test {
protected:
  void SetUp() override {
    COULOMB_NEEDS_NVRTC(workplace);
    write_small_saxpy(workplace);
    table = write_measured(workplace, kGpu);
  }
  Strings fit(const Strings& more) const {
    Strings args = {"calibrate", "fit",        "--gpu", kGpu,        "--silicon",     table,
                    "--spec",    "small.json", "--out", "mine.toml", "--predictions", "kept"};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  /// Ends with exit code 2 and this in its message; nothing is written.
  void expect_refused(const Strings& more, const std::string& message) const {
    const Result result = run(workplace, fit(more));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_EQ(run(workplace, {"config", "check", "mine.toml"}).exit_code, 2);
  }
  Workplace workplace;
  std::string table;
};

TEST_F(CalibrateFit, FindsTheValueAndWritesAGpuFileThatLoadsAgain) {
  const Strings args = fit({"--parameter", "kernel_start_cycles=0:20000", "--json"});
  const Result result = run(workplace, args);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json report = result.json();
  const double value = report["parameters"][0]["after"].get<double>();
  EXPECT_NEAR(value, kTruth, 20'000.0 / 128.0);
  EXPECT_EQ(report["out"], "mine.toml");
  EXPECT_EQ(report["fitted"][0]["n"], 12);
  const Json& held_out = report["held_out_configurations"][0];
  EXPECT_EQ(held_out["n"], 4);
  EXPECT_EQ(held_out["board"], kGpu);
  EXPECT_EQ(held_out["kernel"], "saxpy");
  EXPECT_GT(held_out["before"]["mape"].get<double>(), 0.3);
  EXPECT_LT(held_out["after"]["mape"].get<double>(), 0.03);

  const Result check = run(workplace, {"config", "check", "mine.toml"});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  const Result explained =
      run(workplace, {"config", "explain", "kernel_start_cycles", "--gpu", "mine.toml"});
  EXPECT_THAT(explained.out, HasSubstr(fmt::format("{} cycles", value)));
  EXPECT_THAT(explained.out, HasSubstr("fit: coulomb calibrate fit to small_a100-pcie-40gb (12 "
                                       "configurations)"));
  EXPECT_THAT(explained.out, HasSubstr("held out configurations, saxpy on a100-pcie-40gb, n = 4"));

  const std::string first = read(workplace, "mine.toml");
  const Result again = run(workplace, args);
  EXPECT_EQ(again.json(), report) << "same seed, same result";
  EXPECT_EQ(read(workplace, "mine.toml"), first);
}

TEST_F(CalibrateFit, JudgesAnotherKernelThatIsHeldOut) {
  auto spec = shipped_spec("saxpy");
  spec["General"]["BenchmarkName"] = "larger";
  spec["KernelSpecification"]["BenchmarkName"] = "larger";
  spec["KernelSpecification"]["ProblemSize"] = {98'304};
  write_spec(workplace, "larger", spec, "saxpy");
  const std::string other = write_measured(workplace, kGpu, "larger.json", "larger.json", 98'304);
  const Result result = run(workplace, fit({"--parameter", "kernel_start_cycles=0:20000",
                                            "--held-out-silicon", other, "--json"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json report = result.json();
  ASSERT_EQ(report["held_out_kernel"].size(), 1U);
  const Json& row = report["held_out_kernel"][0];
  EXPECT_EQ(row["kernel"], "larger");
  EXPECT_EQ(row["n"], 16);
  EXPECT_LT(row["after"]["mape"].get<double>(), 0.1 * row["before"]["mape"].get<double>());
  EXPECT_EQ(report["fitted"].size(), 1U);
}

TEST_F(CalibrateFit, RefusesToJudgeABoardThatHasAnotherValue) {
  const std::string other = write_measured(workplace, "rtx-3090");
  expect_refused({"--parameter", "kernel_start_cycles", "--held-out-silicon", other},
                 "was measured on rtx-3090, whose kernel_start_cycles is");
}

TEST_F(CalibrateFit, RefusesWhatTheDataDoNotIdentify) {
  expect_refused({"--parameter", "sm.lsu.barrier_latency"},
                 "the data do not identify sm.lsu.barrier_latency: over 1 cycles to 500 cycles the "
                 "times change by 0.000 % on average, below the noise floor of 0.500 %");
  expect_refused(
      {"--parameter", "kernel_start_cycles=0:20000", "--parameter", "kernel_start_cycles=0:20000"},
      "kernel_start_cycles is named twice");
}

TEST_F(CalibrateFit, RefusesPublishedValuesAndWrongTables) {
  expect_refused({"--parameter", "l2.hit_latency"},
                 "only values of kind \"fit\" and \"assumption\"");
  expect_refused({"--parameter", "kernel_start_cycles", "--silicon", table}, "is named twice");
  expect_refused({"--parameter", "kernel_start_cycles", "--held-out-silicon", table},
                 "is named twice");
  expect_refused({"--parameter", "kernel_start_cycles", "--max-simulations", "10"},
                 "10 simulations are too few for 16 configurations and 1 parameter: at least 112");
}

TEST_F(CalibrateFit, RefusesABoardOfAnotherProductThatSharesThePreset) {
  const std::string other = write_measured(workplace, "rtx-3090");
  const Result result =
      run(workplace, {"calibrate", "fit", "--gpu", "rtx-a6000", "--silicon", other, "--spec",
                      "small.json", "--parameter", "kernel_start_cycles", "--out", "mine.toml"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--gpu rtx-a6000 is not the board of "));
}

TEST_F(CalibrateFit, NamesMissingOptions) {
  const Result result = run(workplace, {"calibrate", "fit", "--gpu", kGpu});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("calibrate fit: --silicon is missing"));
}

} // namespace
} // namespace coulomb::e2e
