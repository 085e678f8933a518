// SPDX-License-Identifier: Apache-2.0
#include "search/whatif/analysis.hpp"

#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "search/whatif/design.hpp"
#include "search/whatif/design_evaluations.hpp"
#include "search/whatif/feasibility.hpp"

#include <cmath>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::search {
namespace {

using kernel::Configuration;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string study_file(const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() /
                    fmt::format("whatif-{}.toml",
                                ::testing::UnitTest::GetInstance()->current_test_info()->name());
  write_file_atomically(path.string(), text);
  return path.string();
}

std::string mistakes(const std::string& text) {
  try {
    (void)read_study(study_file(text));
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

constexpr const char* kStudy = R"(
gpu = "a100-pcie-40gb"
[limits]
area_mm2 = 830
[genes]
"sm.l1.size" = ["192 KiB", "256 KiB"]
"sm.max_warps" = [48, 64]
[[kernel]]
spec = "saxpy"
weight = 3
[[kernel]]
spec = "sgemm"
)";

TEST(Study, HasKernelsWhoseWeightsSumToOneAndGenesInTheFilesOrder) {
  const Study study = read_study(study_file(kStudy));
  EXPECT_EQ(study.kernels[0].weight, 0.75);
  EXPECT_EQ(study.kernels[1].weight, 0.25);
  EXPECT_EQ(study.genes[0].key, "sm.l1.size");
  EXPECT_EQ(study.genes[1].values, (std::vector<std::string>{"48", "64"}));
  EXPECT_EQ(study.limits.area_mm2, 830.0);
  EXPECT_EQ(study.objectives, (std::vector<std::string>{"time", "energy"}));
}

TEST(Study, ReportsEveryMistakeOfItsFileAtOnce) {
  const std::string text = mistakes("budgett = 5\nbudget = -1\n[limits]\nwatts = 5\npower_w = 0\n"
                                    "[genes]\n\"sms\" = [108]\n[[kernel]]\nweight = 2\n");
  EXPECT_THAT(text, HasSubstr("did you mean \"budget\"?"));
  EXPECT_THAT(text, HasSubstr("expected a whole number above 0; found -1"));
  EXPECT_THAT(text, HasSubstr("limits.watts"));
  EXPECT_THAT(text, HasSubstr("expected a number above 0; found 0"));
  EXPECT_THAT(text, HasSubstr("one value: nothing to choose"));
  EXPECT_THAT(text, HasSubstr("\"spec\" is missing"));
  EXPECT_THAT(text, HasSubstr("gpu\n"));
}

TEST(Study, KernelThatComesTwiceHasTwoNames) {
  const Study study =
      read_study(study_file(std::string(kStudy) + "[[kernel]]\nspec = \"saxpy\"\n"));
  EXPECT_EQ(study.kernels[0].name, "saxpy");
  EXPECT_EQ(study.kernels[2].name, "saxpy#2");
}

class Designs : public ::testing::Test {
protected:
  Study study = read_study(study_file(kStudy));
  config::ResolvedGpu gpu = config::load_gpu("a100-pcie-40gb");
  static Configuration genes(const char* l1, const char* warps) {
    return Configuration({{"sm.l1.size", std::string(l1)}, {"sm.max_warps", std::string(warps)}});
  }
};

TEST_F(Designs, TakeTheBaselinesValueAsDefaultWhereItIsListed) {
  const auto spec = design_spec(study, gpu);
  EXPECT_EQ(spec.default_configuration().key(), genes("192 KiB", "64").key());
}

TEST_F(Designs, RefuseAGeneThatIsNoKeyAndAValueThatItCannotHave) {
  Study wrong = study;
  wrong.genes[0].key = "sm.l1.sise";
  EXPECT_THROW((void)design_spec(wrong, gpu), UserError);
  wrong.genes[0] = {"sms", {"108", "zero"}};
  try {
    (void)design_spec(wrong, gpu);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "what-if: gene sms: expected a whole number, e.g. 108; found \"zero\"");
  }
}

TEST_F(Designs, AboveTheAreaAreNotBuiltAndSayByHowMuch) {
  const auto larger = design_gpu(gpu.config, study.limits, genes("256 KiB", "64"));
  EXPECT_EQ(over_area(larger, study.limits),
            "area: 846.5 mm2 exceeds the limit of 830.0 mm2 by 16.5 (2.0 %)");
  EXPECT_EQ(over_area(gpu.config, study.limits), std::nullopt);
}

TEST_F(Designs, NoneWithinTheAreaIsSaidBeforeAnythingRuns) {
  study.limits.area_mm2 = 700;
  const SearchSpace space(design_spec(study, gpu));
  try {
    check_feasible(study, gpu.config, space);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), StartsWith("what-if: no design keeps to limits.area_mm2 = 700.0 mm2; "
                                         "the least of 4 is 816.9 mm2, 16.7 % above it: "));
  }
}

/// An ok simulation with a given time that issues `instructions`.
Evaluation kernel_run(double time_ms, double instructions) {
  Evaluation e;
  e.status = eval::EvalStatus::ok;
  e.sim.time_ms = time_ms;
  e.sim.cycles = time_ms * 1.41e6;
  e.sim.counters = {{"smsp__inst_executed.sum", instructions},
                    {"sm__cycles_active.sum", e.sim.cycles * 108}};
  return e;
}

TEST_F(Designs, TimeIsTheWeightedGeometricMeanAndPowerTheHighest) {
  const auto design =
      combine_kernels(study, gpu.config, {kernel_run(1.0, 1e8), kernel_run(16.0, 1e8)});
  ASSERT_EQ(design.status, eval::EvalStatus::ok) << design.message;
  EXPECT_NEAR(design.sim.time_ms, 2.0, 1e-9); // 1^0.75 x 16^0.25
  const auto& counters = design.sim.counters;
  EXPECT_EQ(counters.at("saxpy:time_ms"), 1.0);
  EXPECT_EQ(counters.at("model__power.avg"),
            std::max(counters.at("saxpy:power_w"), counters.at("sgemm:power_w")));
}

TEST_F(Designs, KernelAboveThePowerLimitRunsSlower) {
  study.limits.power_w = 60;
  const auto limited = design_gpu(gpu.config, study.limits, genes("192 KiB", "64"));
  const auto design = combine_kernels(study, limited, {kernel_run(1.0, 1e8), kernel_run(1.0, 1e8)});
  ASSERT_EQ(design.status, eval::EvalStatus::ok) << design.message;
  const double clock = design.sim.counters.at("saxpy:sm_clock_mhz");
  EXPECT_LT(clock, 1410.0);
  EXPECT_NEAR(design.sim.time_ms, 1410.0 / clock, 1e-9);
}

TEST_F(Designs, KernelAboveThePowerLimitAtTheLowestClockIsNotBuilt) {
  study.limits.power_w = 20;
  const auto limited = design_gpu(gpu.config, study.limits, genes("192 KiB", "64"));
  const auto design = combine_kernels(study, limited, {kernel_run(1.0, 1e8), kernel_run(1.0, 1e8)});
  EXPECT_EQ(design.status, eval::EvalStatus::restricted);
  EXPECT_THAT(design.message, HasSubstr("at the lowest clock, 210 MHz, exceed the limits of 20 W"));
}

/// Time falls with L1 only, and with warps only together with L1.
EvaluationRecord synthetic(const Configuration& genes) {
  const bool large = kernel::to_text(*genes.find("sm.l1.size")) == "256 KiB";
  const bool few = kernel::to_text(*genes.find("sm.max_warps")) == "48";
  EvaluationRecord r;
  r.configuration = genes;
  r.status = eval::EvalStatus::ok;
  r.time_ms = large ? (few ? 0.7 : 0.8) : (few ? 1.1 : 1.0);
  r.counters = {{"model__energy.sum", 1.0},
                {"model__power.avg", 100.0},
                {"model__area.mm2", large ? 846.0 : 826.0},
                {"saxpy:busy.DRAM", large ? 0.5 : 0.9},
                {"saxpy:time_ms", r.time_ms},
                {"sgemm:busy.FP32 pipe", 0.8},
                {"sgemm:time_ms", 1.0}};
  return r;
}

TEST_F(Designs, AnalysisTellsSingleEffectsPairsAndWhatEachChangeIsWorth) {
  const EvaluateDesigns evaluate = [](const auto& designs) {
    std::vector<EvaluationRecord> records;
    for (const Configuration& d : designs) {
      records.push_back(synthetic(d));
    }
    return records;
  };
  const auto best = synthetic(genes("256 KiB", "48"));
  const auto analysis = analyse_study(study, genes("192 KiB", "64"), {best}, evaluate);
  ASSERT_TRUE(analysis);
  ASSERT_EQ(analysis->singles.size(), 2U);
  EXPECT_DOUBLE_EQ(analysis->singles[0].effect->time, 0.8);
  EXPECT_DOUBLE_EQ(analysis->singles[0].effect->area_mm2, 20.0);
  EXPECT_DOUBLE_EQ(analysis->singles[1].effect->time, 1.1);
  ASSERT_EQ(analysis->interactions.size(), 1U);
  EXPECT_NEAR(analysis->interactions[0].beyond, std::log(0.7 / (0.8 * 1.1)), 1e-12);
  const DesignReasons& reasons = analysis->designs.at(0);
  EXPECT_EQ(reasons.kernels[0].before, "DRAM");
  EXPECT_EQ(reasons.kernels[0].after, "latency"); // nothing is busy for 60 % any more
  EXPECT_EQ(reasons.kernels[1].before, "FP32 pipe");
  EXPECT_NEAR(reasons.changes[0].effect->time, 0.7 / 1.1, 1e-12); // L1, with few warps
  EXPECT_NEAR(reasons.changes[1].effect->time, 0.7 / 0.8, 1e-12);
  EXPECT_TRUE(reasons.changes[1].exercised);
}

TEST_F(Designs, AnalysisOfABaselineThatCannotBeSaysSo) {
  const EvaluateDesigns evaluate = [](const auto& designs) {
    EvaluationRecord r;
    r.configuration = designs.front();
    r.status = eval::EvalStatus::restricted;
    r.message = "area: too much";
    return std::vector<EvaluationRecord>{r};
  };
  EXPECT_THROW((void)analyse_study(study, genes("192 KiB", "64"), {}, evaluate), UserError);
}

} // namespace
} // namespace coulomb::search
