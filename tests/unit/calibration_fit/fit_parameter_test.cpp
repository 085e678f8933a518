// SPDX-License-Identifier: Apache-2.0
#include "calibration/fit/fit_parameter.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::calibration {
namespace {

using testing::HasSubstr;

/// Three parameters of known kinds, whatever the shipped file says.
config::ResolvedGpu gpu() {
  auto out = config::load_gpu("a100-pcie-40gb");
  out.config.kernel_start_cycles = 2447;
  out.provenance["kernel_start_cycles"] = {"fit", "a paper", {}, {}, {}};
  out.provenance["sm.lsu.barrier_latency"] = {"assumption", "usual", {}, {}, {}};
  out.provenance["l2.hit_latency"] = {"microbenchmark", "a pointer chase", {}, {}, {}};
  return out;
}

std::string refusal(const std::string& request) {
  try {
    (void)fit_parameter(gpu(), request);
  } catch (const UserError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(FitParameter, TakesFitsAndAssumptionsWithTheirDocumentedRange) {
  const FitParameter p = fit_parameter(gpu(), "kernel_start_cycles");
  EXPECT_EQ(p.key, "kernel_start_cycles");
  EXPECT_EQ(p.low, 0.0);
  EXPECT_EQ(p.high, 100'000.0);
  EXPECT_EQ(p.start, 2447.0);
  EXPECT_FALSE(p.logarithmic); // 0 has no logarithm
  EXPECT_EQ(fit_parameter(gpu(), "sm.lsu.barrier_latency").high, 500.0);
}

TEST(FitParameter, TakesAPartOfTheRangeWithUnits) {
  const FitParameter p = fit_parameter(gpu(), "kernel_start_cycles=1000:9000 cycles");
  EXPECT_EQ(p.low, 1000.0);
  EXPECT_EQ(p.high, 9000.0);
  EXPECT_TRUE(p.logarithmic); // nine times as much
  EXPECT_EQ(p.text(p.low), "1000 cycles");
}

TEST(FitParameter, RefusesWhatWasPublished) {
  EXPECT_EQ(
      refusal("l2.hit_latency"),
      "l2.hit_latency of a100-pcie-40gb is of kind \"microbenchmark\" (a pointer chase); only "
      "values of kind \"fit\" and \"assumption\" may be fitted");
}

TEST(FitParameter, RefusesWhatTheReadersOwnFileOrSetChanged) {
  auto changed = gpu();
  changed.provenance["kernel_start_cycles"] = {"user", "mine.toml", {}, {}, {}};
  EXPECT_THROW((void)fit_parameter(changed, "kernel_start_cycles"), UserError);
}

TEST(FitParameter, RefusesKeysWithoutARange) {
  auto changed = gpu();
  changed.provenance["sm.shared.carveouts"].kind = "assumption";
  try {
    (void)fit_parameter(changed, "sm.shared.carveouts");
    FAIL() << "accepted";
  } catch (const UserError& e) {
    EXPECT_THAT(e.what(), HasSubstr("sm.shared.carveouts has no range to look in: it is ["));
  }
}

TEST(FitParameter, NamesTheNearestKey) {
  EXPECT_THAT(refusal("kernel_start_cycle"), HasSubstr("kernel_start_cycles"));
}

TEST(FitParameter, RefusesRangesThatAreNone) {
  EXPECT_EQ(refusal("kernel_start_cycles=100"),
            "--parameter kernel_start_cycles=100: allowed: KEY or KEY=LOW:HIGH");
  EXPECT_EQ(refusal("kernel_start_cycles=9000:1000"),
            "--parameter kernel_start_cycles=9000:1000: 9000 cycles to 1000 cycles; allowed: an "
            "ascending range that holds the present value 2447 cycles");
  EXPECT_THAT(refusal("kernel_start_cycles=3000:9000"),
              HasSubstr("holds the present value 2447 cycles"));
  EXPECT_THAT(refusal("kernel_start_cycles=0:200000"),
              HasSubstr("0 to 100000 cycles; found \"200000\""));
  EXPECT_THAT(refusal("kernel_start_cycles=few:9000"), HasSubstr("found \"few\""));
}

TEST(FitParameter, PositionsRunThroughTheRange) {
  FitParameter p;
  p.key = "sm.lsu.barrier_latency";
  p.low = 1.0;
  p.high = 100.0;
  p.start = 20.0;
  p.whole = true;
  EXPECT_EQ(p.value_at(0.0), 1.0);
  EXPECT_EQ(p.value_at(1.0), 100.0);
  EXPECT_EQ(p.value_at(0.5), 51.0); // 50.5, rounded
  EXPECT_EQ(p.value_at(-1.0), 1.0);
  EXPECT_EQ(p.value_at(2.0), 100.0);
  p.logarithmic = true;
  EXPECT_EQ(p.value_at(0.5), 10.0);
  EXPECT_DOUBLE_EQ(p.position_of(10.0), 0.5);
  EXPECT_EQ(p.value_at(p.position_of(20.0)), 20.0);
}

TEST(FitParameter, RealValuesHaveFourDigitsButTheStartIsKept) {
  FitParameter p;
  p.key = "cta_launch_interval";
  p.low = 0.0;
  p.high = 1.0;
  p.start = 0.123456789;
  EXPECT_EQ(p.value_at(1.0 / 3.0), 0.3333);
  EXPECT_EQ(p.value_at(p.position_of(p.start)), 0.123456789);
  EXPECT_EQ(p.assignment(0.3333), "cta_launch_interval=0.3333");
}

TEST(FitParameter, AnotherBoardMustHaveThePresentValues) {
  const std::vector<FitParameter> parameters = {fit_parameter(gpu(), "kernel_start_cycles")};
  auto other = config::load_gpu("rtx-3090").config;
  other.kernel_start_cycles = 2447;
  EXPECT_NO_THROW(check_present_values(parameters, other, "a table"));
  other.kernel_start_cycles = 2000;
  try {
    check_present_values(parameters, other, "a table");
    FAIL() << "accepted";
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(), "calibrate fit: a table was measured on rtx-3090, whose "
                           "kernel_start_cycles is 2000 cycles, and not 2447 cycles as on the GPU "
                           "that is fitted: a value for one is none for both");
  }
}

} // namespace
} // namespace coulomb::calibration
