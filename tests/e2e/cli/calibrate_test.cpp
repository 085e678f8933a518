// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/cli/specs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace coulomb::e2e {
namespace {

using testing::HasSubstr;

const std::string kObservations =
    std::string(COULOMB_SOURCE_DIR) + "/data/calibration/sgemm-rtx-3090.csv.gz";

TEST(Calibrate, GapModelIsFittedJudgedOnHeldOutRowsAndExplained) {
  const Workplace workplace;
  const Result fitted =
      run(workplace, {"calibrate", "gap", kObservations, "--folds", "2", "--out", "gap.json"});
  ASSERT_EQ(fitted.exit_code, 0) << fitted.err;
  EXPECT_THAT(fitted.out, HasSubstr("gap model of 200 observations: gap.json"));
  EXPECT_THAT(fitted.out, HasSubstr("held out by configuration (2 folds, seed 1)"));

  const Result whole = run(workplace, {"calibrate", "explain", "gap.json"});
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_THAT(whole.out, HasSubstr("influence of the features"));

  const Result one = run(workplace, {"calibrate", "explain", "gap.json", "--observations",
                                     kObservations, "--row", "999999"});
  EXPECT_EQ(one.exit_code, 2);
  EXPECT_THAT(one.err, HasSubstr("999999"));
}

TEST(Calibrate, AccuracyReportKeepsFittedAndHeldOutApart) {
  const Workplace workplace;
  const Result result =
      run(workplace, {"report", "--accuracy", kObservations, "-o", "accuracy.md"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string report = read(workplace, "accuracy.md");
  const std::size_t fitted = report.find("## Calibrated, fitted");
  const std::size_t held_out = report.find("## Calibrated, configurations held out");
  EXPECT_NE(report.find("## The simulator alone"), std::string::npos);
  EXPECT_NE(fitted, std::string::npos);
  EXPECT_NE(held_out, std::string::npos);
  EXPECT_LT(fitted, held_out);
  EXPECT_THAT(report, HasSubstr("no accuracy claim"));
}

TEST(Calibrate, NoiseIsFittedToSingleLaunchesAndTestedOnTheOthers) {
  const Workplace workplace;
  const Result result =
      run(workplace, {"calibrate", "noise", "convolution/convolution_A100-PCIE-40GB"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("held out     n  1407"));

  const Result none = run(workplace, {"calibrate", "noise", "bat_gemm/bat_gemm_RTX-3090_half"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("single launches"));
}

TEST(Calibrate, NamesAMistypedSubCommand) {
  const Workplace workplace;
  const Result result = run(workplace, {"calibrate", "nois"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean \"noise\"?"));
}

} // namespace
} // namespace coulomb::e2e
