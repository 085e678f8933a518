// SPDX-License-Identifier: Apache-2.0
#include "calibration/fit/fit_report.hpp"

#include "tests/unit/calibration_fit/synthetic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::calibration {
namespace {

using testing::HasSubstr;
using testing::Not;

FitRow row(FitRole role, const std::string& board, double before, double after) {
  const auto errors = [](double mape) {
    return FitErrors{.mean_squared_log = mape * mape,
                     .mape = mape,
                     .median = mape / 2.0,
                     .spearman = std::nullopt};
  };
  return {"gemm", board, "gemm_" + board, role, 7, errors(before), errors(after)};
}

FitReport report() {
  FitReport out;
  out.parameters = {{synthetic::parameter("kernel_start_cycles", 0.0, 10'000.0, 2447.0), 4000.0,
                     0.25, 0.01, 3900.0, 4100.0}};
  out.rows = {row(FitRole::fitted, "a", 0.10, 0.05),
              row(FitRole::held_out_configurations, "a", 0.12, 0.06),
              row(FitRole::held_out_board, "b", 0.20, 0.30)};
  out.objective_before = 0.01;
  out.objective_after = 0.0025;
  out.simulations = 1234;
  return out;
}

TEST(FitReportText, KeepsFittedAndHeldOutApartAndNamesBoardAndKernel) {
  const std::string text = to_text(report());
  EXPECT_THAT(text,
              HasSubstr("2447 cycles -> 4000 cycles   looked for in 0 cycles to 10000 cycles; "
                        "effect on the times 25.0 %, of the smallest step 1.00 %"));
  EXPECT_THAT(text, HasSubstr("the data do not decide between: 3900 cycles to 4100 cycles"));
  EXPECT_THAT(text, HasSubstr("simulations                          1,234\n"));
  const auto fitted = text.find("\nfitted\n");
  const auto configurations = text.find("\nheld out configurations\n");
  const auto board = text.find("\nheld out board\n");
  ASSERT_NE(board, std::string::npos);
  EXPECT_LT(fitted, configurations);
  EXPECT_LT(configurations, board);
  EXPECT_THAT(text.substr(fitted, configurations - fitted),
              HasSubstr("10.00 % -> 5.00 %")); // and none of the held out
  EXPECT_THAT(text.substr(fitted, configurations - fitted), Not(HasSubstr("6.00 %")));
  EXPECT_THAT(text.substr(board), HasSubstr("b                  gemm                 7"));
  EXPECT_THAT(text.substr(board), HasSubstr("gemm_b"));
  EXPECT_THAT(text, Not(HasSubstr("got worse"))); // another board does not count for that
}

TEST(FitReportText, WarnsOfAnEndOfTheRangeAndOfWorseHeldOutConfigurations) {
  auto bad = report();
  bad.parameters[0].value = 10'000.0;
  bad.rows[1] = row(FitRole::held_out_configurations, "a", 0.10, 0.20);
  bad.budget_reached = true;
  bad.untimed = 2;
  const std::string text = to_text(bad);
  EXPECT_THAT(text, HasSubstr("at the end of its range"));
  EXPECT_THAT(text, HasSubstr("held-out configurations got worse (mean squared log error 0.010000 "
                              "-> 0.040000): the fit does not carry over to them"));
  EXPECT_THAT(text, HasSubstr("the search ended because of their limit"));
  EXPECT_THAT(text, HasSubstr("2 configurations that the simulator could not time"));
}

TEST(FitReportJson, HoldsFractionsAndNullForUndefinedFigures) {
  const auto json = to_json(report());
  EXPECT_EQ(json["parameters"][0]["key"], "kernel_start_cycles");
  EXPECT_EQ(json["parameters"][0]["after"], 4000.0);
  EXPECT_EQ(json["parameters"][0]["alike_to"], 4100.0);
  EXPECT_EQ(json["parameters"][0]["at_end"], false);
  EXPECT_EQ(json["fitted"][0]["before"]["mape"], 0.10);
  EXPECT_EQ(json["held_out_configurations"][0]["after"]["mape"], 0.06);
  EXPECT_EQ(json["held_out_board"][0]["board"], "b");
  EXPECT_TRUE(json["held_out_board"][0]["after"]["spearman"].is_null());
  EXPECT_TRUE(json["held_out_kernel"].empty());
  EXPECT_EQ(json["held_out_worse"], false);
}

TEST(FitProvenance, NamesTablesCountAndErrorsBeforeAndAfter) {
  const auto source = provenance_of(report(), {"gemm_a"}, "2026-12-03");
  EXPECT_EQ(source.kind, "fit");
  EXPECT_EQ(source.source, "coulomb calibrate fit to gemm_a (7 configurations)");
  EXPECT_EQ(source.date, "2026-12-03");
  EXPECT_EQ(source.note, "fitted, gemm on a, n = 7: MAPE 10.00 % -> 5.00 %; held out "
                         "configurations, gemm on a, n = 7: MAPE 12.00 % -> 6.00 %; held out "
                         "board, gemm on b, n = 7: MAPE 20.00 % -> 30.00 %");
  EXPECT_THAT(source.note, Not(HasSubstr("gemm_b"))); // it was not fitted to
}

} // namespace
} // namespace coulomb::calibration
