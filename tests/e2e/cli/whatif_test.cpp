// SPDX-License-Identifier: Apache-2.0
// Power of a run, and what-if studies.
#include "tests/e2e/cli/specs.hpp"

#include <algorithm>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

constexpr const char* kStudy = R"(
gpu = "a100-pcie-40gb"
budget = 8
[limits]
area_mm2 = 850
[genes]
"sm.l1.size" = ["192 KiB", "256 KiB"]
"l2.slice_size" = ["256 KiB", "512 KiB", "1 MiB"]
"sm_clock_mhz" = [1050, 1410]
[[kernel]]
spec = "small.json"
)";

class WhatIf : public testing::Test {
protected:
  void SetUp() override {
    COULOMB_NEEDS_NVRTC(workplace);
    write_small_saxpy(workplace);
    workplace.write("study.toml", kStudy);
  }
  Workplace workplace;
};

TEST_F(WhatIf, RunTellsPowerEnergyAndHeat) {
  const Json power = run(workplace, {"run", "small.json", "--gpu", kGpu, "--json"}).json()["power"];
  EXPECT_GT(power["power_w"], 50.0);
  EXPECT_LT(power["power_w"], 250.0);
  EXPECT_GT(power["temperature_c"], 25.0);
  double sum = 0.0;
  for (const auto& [name, watts] : power["components_w"].items()) {
    sum += watts.get<double>();
  }
  EXPECT_NEAR(sum, power["power_w"].get<double>(), 1e-9);
  EXPECT_EQ(power["settled"]["limit"], "none");
  const Json capped =
      run(workplace, {"run", "small.json", "--gpu", kGpu, "--set", "power.limit.minimum_w=30",
                      "--set", "power.limit.board_w=70", "--json"})
          .json()["power"];
  EXPECT_EQ(capped["settled"]["limit"], "power");
  EXPECT_LT(capped["settled"]["sm_clock_mhz"], 1410.0);
}

TEST_F(WhatIf, PowerTraceShowsTheControllerLoweringTheClock) {
  const Result result =
      run(workplace, {"run", "small.json", "--gpu", kGpu, "--set", "power.limit.minimum_w=30",
                      "--set", "power.limit.board_w=70", "--power-trace", "p.csv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("controller's trace in p.csv"));
  const std::string csv = read(workplace, "p.csv");
  EXPECT_THAT(csv, StartsWith("seconds,sm_clock_mhz,power_w,reading_w,temperature_c\n0.000,1410,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 501); // 10 s in steps of 20 ms
  const Result wrong = run(workplace, {"run", "small.json", "--gpu", kGpu, "--power-seconds", "0"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--power-seconds is 0"));
}

TEST_F(WhatIf, StudyGivesFrontReasonsAndAPage) {
  const Result result = run(workplace, {"whatif", "study.toml", "--out", "w", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json j = result.json();
  EXPECT_EQ(j["evaluations"], 8);
  EXPECT_EQ(j["objectives"], (Json{"time", "energy"}));
  EXPECT_GT(j["baseline"]["area_mm2"], 800.0);
  ASSERT_FALSE(j["designs"].empty());
  for (const Json& design : j["designs"]) {
    EXPECT_LE(design["area_mm2"], 850.0);
    ASSERT_EQ(design["kernels"].size(), 1U);
    EXPECT_TRUE(design["kernels"][0].contains("limited_before"));
  }
  EXPECT_EQ(j["sensitivity"].size(), 4U); // one value of two genes, two of the third
  for (const Json& change : j["sensitivity"]) {
    if (change["key"] == "l2.slice_size" && change["value"] == "1 MiB") {
      EXPECT_TRUE(change["effect"].is_null());
      EXPECT_THAT(change["problem"].get<std::string>(), StartsWith("area: "));
    }
  }
  const std::string page = read(workplace, "w/whatif.html");
  EXPECT_THAT(page, HasSubstr("Sensitivity around the baseline"));
  EXPECT_THAT(page, HasSubstr("l2.slice_size"));
}

TEST_F(WhatIf, SameStudyHasTheSameDesignsWhateverTheWorkers) {
  ASSERT_EQ(run(workplace, {"whatif", "study.toml", "--out", "one", "--jobs", "1"}).exit_code, 0);
  ASSERT_EQ(run(workplace, {"whatif", "study.toml", "--out", "two", "--jobs", "2"}).exit_code, 0);
  EXPECT_EQ(recorded_evaluations(workplace, "one"), recorded_evaluations(workplace, "two"));
}

TEST_F(WhatIf, StudyThatWasKilledGoesOnWithResume) {
  Process process(workplace, {"whatif", "study.toml", "--out", "w", "--jobs", "1"});
  ASSERT_TRUE(eventually([&] { return !children(process.pid(), "coulomb-sim-worker").empty(); }));
  process.kill(SIGKILL);
  (void)process.wait();
  const Result resumed = run(workplace, {"whatif", "study.toml", "--out", "w", "--resume"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  ASSERT_EQ(run(workplace, {"whatif", "study.toml", "--out", "whole"}).exit_code, 0);
  EXPECT_EQ(recorded_evaluations(workplace, "w"), recorded_evaluations(workplace, "whole"));
}

TEST_F(WhatIf, AxisSweepsDesignsAroundTheBaseline) {
  const Result result = run(workplace, {"whatif", "study.toml", "--axis",
                                        "sm_clock_mhz=705:1410:705", "--json", "--out", "w"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json designs = result.json()["designs"];
  ASSERT_EQ(designs.size(), 2U);
  EXPECT_GT(designs[0]["time_ms"], designs[1]["time_ms"]);
  EXPECT_LT(designs[0]["power_w"], designs[1]["power_w"]);
}

TEST_F(WhatIf, IslandsAreWeighedAgainstOneRail) {
  workplace.write("islands.toml", "gpu = \"a100-pcie-40gb\"\n[islands]\nsize = \"sm\"\nsigma = 0\n"
                                  "conversion_loss = 0.07\nspreads_mhz = [120]\n"
                                  "[[kernel]]\nspec = \"small.json\"\n");
  const Result result = run(workplace, {"whatif", "islands.toml", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json kernel = result.json()["kernels"][0];
  ASSERT_EQ(kernel["outcomes"].size(), 4U);
  // Without variation there is nothing to gain, and regulators cost.
  EXPECT_GT(kernel["outcomes"][1]["energy_mj"], kernel["outcomes"][0]["energy_mj"]);
  EXPECT_THAT(kernel["verdict"].get<std::string>(), StartsWith("islands lose: "));
}

TEST_F(WhatIf, MistakesOfAStudyComeAllAtOnceAndAnAreaThatCannotBeBeforeAnythingRuns) {
  workplace.write("bad.toml", "gpu = \"a100-pcie-40gb\"\nbuget = 3\n[genes]\n\"sms\" = [108]\n");
  const Result bad = run(workplace, {"whatif", "bad.toml"});
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.err, HasSubstr("did you mean \"budget\"?"));
  EXPECT_THAT(bad.err, HasSubstr("one value: nothing to choose"));
  EXPECT_THAT(bad.err, HasSubstr("at least one [[kernel]]"));
  std::string tight = kStudy;
  tight.replace(tight.find("850"), 3, "500");
  workplace.write("tight.toml", tight);
  const Result none = run(workplace, {"whatif", "tight.toml"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("no design keeps to limits.area_mm2 = 500.0 mm2"));
}

TEST_F(WhatIf, PowersOfATableOfMyOwnAreChecked) {
  workplace.write("mine.csv",
                  "id,group,role,gpu,case,spec,sm_clock_mhz,limit_w,value,tolerance,unit,"
                  "application,work_rate,source,confidence\n"
                  "a,idle,check,a100-pcie-40gb,my board idles,,1410,,59.5,3,W,,,me,high\n");
  const Json report = run(workplace, {"validate", "--power=mine.csv", "--json"}).json();
  EXPECT_EQ(
      report["groups"]["idle"]["checks"],
      (Json{{"points", 1}, {"within", 1}, {"mape", report["groups"]["idle"]["checks"]["mape"]}}));
  workplace.write("wrong.csv", "id,group,role,gpu,case,spec,sm_clock_mhz,limit_w,value,tolerance,"
                               "unit,application,work_rate,source,confidence\n"
                               "a,idl,check,a100-pcie-40gb,x,,1410,,59.5,3,W,,,me,high\n");
  const Result wrong = run(workplace, {"validate", "--power=wrong.csv"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("wrong.csv:2: group \"idl\" is not one of: idle, sleep"));
}

} // namespace
} // namespace coulomb::e2e
