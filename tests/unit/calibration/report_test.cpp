// SPDX-License-Identifier: Apache-2.0
#include "calibration/report.hpp"

#include "synthetic.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace coulomb::calibration {
namespace {

using eval::EvalStatus;
using nlohmann::json;
using ::testing::HasSubstr;
using testing::message_of;
using ::testing::Not;
using testing::refused;
using testing::simulator;
using testing::subject;
using testing::synthetic_table;
using testing::timed;

/// 20 rows timed 25 % too long, one of them missed, and two failing rows of which one was timed.
ValidationReport distorted() {
  auto table = synthetic_table(22, 1, 1);
  table.rows[0].exclusion = "clock not at base"; // x = 1
  table.rows[1].exclusion = "clock not at base"; // x = 8
  int failing = 0;
  ValidationReport r = run_validation(
      table, draw_sample(table, {.count = 20, .seed = 7}), subject(), simulator([&](double x) {
        if (x == 0) {
          return failing++ == 0 ? refused(EvalStatus::launch_invalid, "registers") : timed(9.0);
        }
        return x == 2 ? refused(EvalStatus::unsupported, "R2UR") : timed(1.25 * x);
      }),
      {});
  r.cost.wall_s = 2.5;
  return r;
}

TEST(Report, JsonHoldsEveryFieldOfTheContract) {
  const json j = json::parse(to_json_text(distorted(), {parse_gate("mape > 0.2")}));
  EXPECT_EQ(j["schema"], 1);
  EXPECT_EQ(j["version"], COULOMB_VERSION);
  EXPECT_EQ(j["spec"], "saxpy");
  EXPECT_EQ(j["gpu"], "a100-pcie-40gb");
  EXPECT_EQ(j["table"], "dir/synthetic.csv.gz");
  EXPECT_EQ(j["clock"], json({{"sm_mhz", 765.0}, {"mem_mhz", 1215.0}}));
  EXPECT_EQ(j["seed"], 7);
  EXPECT_EQ(j["n"], 19);
  EXPECT_EQ(j["fitted"], false);
  EXPECT_DOUBLE_EQ(j["mape"], 0.25);
  EXPECT_DOUBLE_EQ(j["median_ape"], 0.25);
  EXPECT_DOUBLE_EQ(j["p90_ape"], 0.25);
  EXPECT_DOUBLE_EQ(j["bias"], 0.25);
  EXPECT_DOUBLE_EQ(j["scale_free"]["factor"], 0.8);
  EXPECT_NEAR(j["scale_free"]["mape"], 0.0, 1e-12);
  EXPECT_NEAR(j["scale_free"]["median_ape"], 0.0, 1e-12);
  EXPECT_DOUBLE_EQ(j["spearman"], 1.0);
  EXPECT_DOUBLE_EQ(j["kendall"], 1.0);
  EXPECT_DOUBLE_EQ(j["spearman_best5pct"], 1.0);
  EXPECT_DOUBLE_EQ(j["top1_regret"], 0.5); // 3 ms, where the missed row has 2 ms
  EXPECT_DOUBLE_EQ(j["top5_regret"], 0.5);
  EXPECT_EQ(j["invalid"],
            json({{"both", 1}, {"silicon_only", 1}, {"sim_only", 1}, {"undecided", 0}}));
  EXPECT_EQ(j["excluded"], json({{"clock not at base", 2}}));
  EXPECT_EQ(j["sample"]["requested"], 20);
  EXPECT_EQ(j["sample"]["eligible"], 20);
  EXPECT_EQ(j["sample"]["drawn_failing"], 2);
  EXPECT_EQ(j["sample"]["drawn_failing_by_status"],
            json({{"compile_failed", 1}, {"launch_invalid", 1}}));
  EXPECT_EQ(j["sample"]["deciles"].size(), 10u);
  EXPECT_EQ(j["gates"],
            json::array({{{"fail_if", "mape > 0.2"}, {"value", 0.25}, {"failed", true}}}));
  EXPECT_EQ(j["host"]["wall_s"], 2.5);
  EXPECT_DOUBLE_EQ(j["host"]["warp_insts_per_s"], 4000.0);
}

TEST(Report, JsonListsEveryRowThatWasDrawn) {
  const json rows = json::parse(to_json_text(distorted(), {}))["rows"];
  ASSERT_EQ(rows.size(), 22u);
  for (const auto& row : rows) {
    if (row["params"]["x"] == 2) {
      EXPECT_EQ(row["silicon_ms"], 2.0);
      EXPECT_TRUE(row["sim_ms"].is_null());
      EXPECT_TRUE(row["error"].is_null());
      EXPECT_EQ(row["status"], "unsupported");
      EXPECT_EQ(row["message"], "R2UR");
    } else if (row["params"]["x"] == 4) {
      EXPECT_EQ(row["silicon_ms"], 4.0);
      EXPECT_EQ(row["sim_ms"], 5.0);
      EXPECT_EQ(row["error"], 0.25);
      EXPECT_EQ(row["status"], "ok");
      EXPECT_EQ(row["silicon_status"], "ok");
      EXPECT_FALSE(row.contains("message"));
    }
  }
  EXPECT_EQ(rows[20]["silicon_status"], "compile_failed");
  EXPECT_TRUE(rows[20]["silicon_ms"].is_null());
  EXPECT_EQ(rows[20]["row"], 22);
}

TEST(Report, JsonOfNothingTimedHasNullsAndNoNan) {
  const auto table = synthetic_table(3, 0, 0);
  const auto r =
      run_validation(table, draw_sample(table, {}), subject(),
                     simulator([](double) { return refused(EvalStatus::timeout, ""); }), {});
  const std::string text = to_json_text(r, {});
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  const json j = json::parse(text);
  for (const char* key : {"mape", "median_ape", "p90_ape", "bias", "spearman", "kendall",
                          "spearman_best5pct", "top1_regret", "top5_regret"}) {
    EXPECT_TRUE(j[key].is_null()) << key;
  }
  EXPECT_TRUE(j["scale_free"]["factor"].is_null());
  EXPECT_TRUE(j["host"]["warp_insts_per_s"].is_null());
  EXPECT_EQ(j["excluded"], json::object());
}

TEST(Report, JsonSurvivesABrokenCompilerMessage) {
  const auto table = synthetic_table(2, 0, 0);
  const auto r = run_validation(
      table, draw_sample(table, {}), subject(),
      simulator([](double) { return refused(EvalStatus::compile_failed, "bad \xff byte"); }), {});
  EXPECT_EQ(json::parse(to_json_text(r, {}))["rows"][0]["message"], "bad \xEF\xBF\xBD byte");
}

TEST(Report, TextTellsWhatWasComparedAndHowWell) {
  const std::string text =
      to_text(distorted(), {parse_gate("mape > 0.2"), parse_gate("spearman < 0.9")}, 2);
  EXPECT_EQ(
      text,
      "validate   saxpy on a100-pcie-40gb against synthetic.csv.gz\n"
      "           n = 19, held out: nothing was fitted to this table\n"
      "clock      SM 765 MHz, memory 1215 MHz   sampled, 1 SM   seed 7\n"
      "drawn      20 of 20 eligible rows, evenly from ten time deciles; 2 of 2 failing rows\n"
      "excluded   2 rows: clock not at base\n"
      "\n"
      "  time error     mean 25.0 %   median 25.0 %   90 % of the rows within 25.0 %\n"
      "  spread         bias +25.0 %   80 % of the rows between +25.0 % and +25.0 %\n"
      "  scale-free     mean 0.0 %   median 0.0 %   after dividing out the factor 0.800\n"
      "  ranks          Spearman 1.000   Kendall 1.000   Spearman of the best 5 % 1.000\n"
      "  regret         50.0 % measuring the simulator's best one, 50.0 % its best five\n"
      "  failing rows   1 refused here too, 1 timed here, 0 not judged\n"
      "  misses         1 rows that silicon ran and the simulator could not time\n"
      "\n"
      "worst rows\n"
      "   row   silicon ms  simulated ms      error  parameters\n"
      "     2      15.0000       18.7500    +25.0 %  x=15\n"
      "     3      22.0000       27.5000    +25.0 %  x=22\n"
      "\n"
      "disagreements on validity\n"
      "   row  silicon          simulator        parameters\n"
      "    19  ok               unsupported      x=2\n"
      "        R2UR\n"
      "    22  compile_failed   ok               x=0\n"
      "\n"
      "cost       2.5 s wall; 10.0 s compiling, 5.0 s simulating, 0.00 M warp instructions/s\n"
      "gate       FAILED: mape is 0.25, fails if > 0.2\n"
      "gate       passed: spearman is 1, fails if < 0.9\n"
      "reproduce  coulomb validate --spec saxpy\n");
}

TEST(Report, TextSaysWhenTheTableWasFittedTo) {
  ValidationReport r = distorted();
  r.subject.fitted = true;
  EXPECT_THAT(to_text(r, {}),
              HasSubstr("n = 19, fitted: numbers of this GPU were fitted to this table\n"));
}

TEST(Gate, ComparesAMetricWithABound) {
  const auto r = distorted();
  EXPECT_TRUE(fails(parse_gate("mape > 0.2"), r));
  EXPECT_FALSE(fails(parse_gate("mape>0.3"), r));
  EXPECT_TRUE(fails(parse_gate("n <= 19"), r));
  EXPECT_FALSE(fails(parse_gate("n < 19"), r));
  EXPECT_TRUE(fails(parse_gate("invalid.sim_only >= 1"), r));
  EXPECT_FALSE(fails(parse_gate("bias < -0.1"), r));
  EXPECT_FALSE(fails(parse_gate("scale_free.mape > 1e-6"), r));
}

TEST(Gate, FailsOnAMetricThatIsNotDefined) {
  ValidationReport r = distorted();
  r.spearman.reset();
  const Gate gate = parse_gate("spearman < 0.9");
  EXPECT_TRUE(fails(gate, r));
  EXPECT_THAT(to_text(r, {gate}),
              HasSubstr("gate       FAILED: spearman is not defined by these rows, which fails\n"));
}

TEST(Gate, ExplainsWhatItCannotRead) {
  EXPECT_EQ(message_of([] { (void)parse_gate("mape = 0.2"); }),
            "--fail-if \"mape = 0.2\" has no comparison");
  EXPECT_EQ(message_of([] { (void)parse_gate("mapee > 0.2"); }),
            "--fail-if \"mapee > 0.2\": unknown metric \"mapee\" (did you mean \"mape\"?)");
  EXPECT_EQ(message_of([] { (void)parse_gate("mape > 20%"); }),
            "--fail-if \"mape > 20%\": \"20%\" is not a number");
  EXPECT_EQ(message_of([] { (void)parse_gate("mape >"); }),
            "--fail-if \"mape >\": \"\" is not a number");
  try {
    (void)parse_gate("mape > 20%");
    FAIL();
  } catch (const UserError& e) {
    EXPECT_EQ(e.hint(), "metrics are fractions: write 0.2 for 20 %");
  }
}

} // namespace
} // namespace coulomb::calibration
