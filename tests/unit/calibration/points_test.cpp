// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/text.hpp"
#include "calibration/points/points_validation.hpp"
#include "calibration/points/sass_program.hpp"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace coulomb::calibration::points {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StrEq;

constexpr const char* kHeader = "chip,name,value,unit,tolerance,source\n";

/// A file of this text, gone at the end of the test.
class TableFile {
public:
  explicit TableFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("points_test_" + std::to_string(::getpid()) + ".csv")) {
    std::ofstream(path_) << text;
  }
  ~TableFile() { std::filesystem::remove(path_); }
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

private:
  std::filesystem::path path_;
};

std::string error_of_table(const std::string& text) {
  const TableFile file(text);
  try {
    (void)read_points(file.path());
  } catch (const UserError& e) {
    std::string message = e.what();
    return message.substr(message.rfind('/') == std::string::npos ? 0 : message.find(".csv") + 4);
  }
  return "no error";
}

TEST(Points, AMissingColumnIsNamedWithTheOnesFound) {
  EXPECT_THAT(error_of_table("chip,name,value,unit,source\n"),
              StrEq(":1: no column \"tolerance\"; found: chip, name, value, unit, source; needed: "
                    "chip, name, value, unit, tolerance, source"));
}

TEST(Points, AValueWithoutANumberIsRefusedWithItsLine) {
  EXPECT_THAT(
      error_of_table(std::string(kHeader) + "A100,x,4,cycles,0,NAK\nA100,y,few,cycles,0,NAK\n"),
      StrEq(":3: value is \"few\", in which there is no number"));
}

TEST(Points, APointThatIsThereTwiceIsRefusedWithBothLines) {
  EXPECT_THAT(
      error_of_table(std::string(kHeader) + "A100,x,4,cycles,0,NAK\nA100,x,5,cycles,0,NAK\n"),
      StrEq(":3: point \"x\" of A100 is already in line 2"));
}

TEST(Points, ValuesMayBeSeveral) {
  EXPECT_THAT(published_numbers("4"), ElementsAre(4.0));
  EXPECT_THAT(published_numbers("46 / 62"), ElementsAre(46.0, 62.0));
  EXPECT_THAT(published_numbers("4.0 -> 8.3"), ElementsAre(4.0, 8.3));
  EXPECT_THAT(published_numbers("20.9-23.4"), ElementsAre(20.9, 23.4));
}

TEST(Points, TolerancesAreAbsoluteRelativeOrOneSided) {
  EXPECT_THAT(bands({200}, "5"), ElementsAre(Band{195, 205}));
  EXPECT_THAT(bands({200}, "5%"), ElementsAre(Band{190, 210}));
  EXPECT_THAT(bands({4}, "+1"), ElementsAre(Band{4, 5}));
  EXPECT_THAT(bands({6}, "-1"), ElementsAre(Band{5, 6}));
  EXPECT_THAT(bands({23}, "+6 (LUO24 29)"), ElementsAre(Band{23, 29}));
  EXPECT_THAT(bands({20}, "power-dependent"), IsEmpty());
}

TEST(Points, ValuesAreComparedInHundredthsOfTheirUnit) {
  EXPECT_TRUE(within(4.004, {4, 4}));
  EXPECT_FALSE(within(4.006, {4, 4}));
  EXPECT_FALSE(within(3.99, {4, 4}));
  EXPECT_TRUE(within(267.3, {257, 277}));
}

TEST(Points, SourceKeysAreTheWordsThatBeginAPart) {
  EXPECT_THAT(source_keys("CPG;GPUB (19.1 of 19.5 TFLOP/s)"), ElementsAre("CPG", "GPUB"));
  EXPECT_THAT(source_keys("NAK;PTXAS (6); WP-A100"), ElementsAre("NAK", "PTXAS", "WP-A100"));
}

PublishedPoint point(const std::string& source) {
  return {"A100", "latency", "4", "cycles", "0", source, 2, {{4, 4}}};
}

TEST(Points, APointIsSetIfItsSourceAlsoSetTheParameter) {
  const PointPlan plan{"A100", "latency", {"m"}, {}, {"sm.pipes.fma.latency"}, {}};
  const config::ProvenanceMap provenance{
      {"sm.pipes.fma.latency", {"guide", "Mesa NAK sm80 latency tables", {}, {}, {}}}};
  const std::map<std::string, std::vector<std::string>> sources{{"NAK", {"NAK"}},
                                                                {"ABD", {"Abdelkhalik"}}};
  EXPECT_EQ(classify(point("NAK;ABD"), plan, false, provenance, sources), Role::set);
  EXPECT_EQ(classify(point("ABD"), plan, false, provenance, sources), Role::check);
  EXPECT_EQ(classify(point("LUO24"), plan, false, provenance, sources), Role::check);
  EXPECT_EQ(classify(point("ABD"), plan, true, provenance, sources), Role::echo);
}

TEST(Points, AKeyThatTheGpuFileLacksIsRefused) {
  const PointPlan plan{"A100", "latency", {"m"}, {}, {"sm.pipes.fma.latncy"}, {}};
  try {
    (void)classify(point("NAK"), plan, false, {}, {});
    FAIL();
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(),
                 "points.csv: A100, latency: the GPU file has no key \"sm.pipes.fma.latncy\"");
  }
}

/// Two probes: a loop whose time grows by 4 cycles a step, and one that fails.
MeasurementPlan small_plan() {
  MeasurementPlan plan;
  plan.chips = {{"A100", {"g"}}};
  plan.gpus = {{"g", {"g", {}}}};
  plan.probes = {{"loop", {}}, {"broken", {}}};
  Measurement chain;
  chain.probe = "loop";
  chain.vary = "N";
  chain.between = {"32", "64"};
  chain.metric = "out[0]";
  chain.per = 32;
  plan.measurements["chain"] = chain;
  Measurement rate = chain;
  rate.per = {};
  rate.work = 256;
  rate.times = {"sms", "sm_clock_ghz", "0.5"};
  plan.measurements["rate"] = rate;
  Measurement twice;
  twice.sum = {{3.0, "chain"}, {-1.0, "chain"}};
  plan.measurements["twice"] = twice;
  Measurement ratio;
  ratio.ratio = {"twice", "chain"};
  plan.measurements["ratio"] = ratio;
  Measurement broken;
  broken.probe = "broken";
  broken.metric = "cycles";
  plan.measurements["broken"] = broken;
  Measurement split;
  split.config = "l2.sms_per_partition";
  plan.measurements["split"] = split;
  plan.reasons["power not modelled"] = "the figure depends on the power limit";
  return plan;
}

config::ResolvedGpu small_gpu() {
  config::ResolvedGpu gpu;
  gpu.config.sms = 108;
  gpu.config.sm_clock_mhz = 1410;
  gpu.config.l2.sms_per_partition = {62, 46};
  return gpu;
}

/// 10 cycles of overhead and 4 a step.
ProbeResult answer(const ProbeRun& run) {
  ProbeResult result;
  if (run.probe == "broken") {
    result.problem = "broken.cu: crashed: misaligned access";
    return result;
  }
  result.out = {10.0 + 4.0 * std::stod(run.values.at("N"))};
  return result;
}

TEST(Points, AReductionIsTheDifferenceOfTwoRuns) {
  const auto plan = small_plan();
  const auto gpu = small_gpu().config;
  ProbeResult found;
  const FindResult find = [&](const ProbeRun& run) -> const ProbeResult& {
    return found = answer(run);
  };
  EXPECT_DOUBLE_EQ(reduce(plan, "chain", "g", gpu, find), 4.0);
  EXPECT_DOUBLE_EQ(reduce(plan, "rate", "g", gpu, find), 256.0 / 128.0 * 108 * 1.41 * 0.5);
  EXPECT_DOUBLE_EQ(reduce(plan, "twice", "g", gpu, find), 8.0);
  EXPECT_DOUBLE_EQ(reduce(plan, "ratio", "g", gpu, find), 2.0);
}

TEST(Points, AMetricMayBeTheLeastOrTheMostOfAllWarpsAndAResultCountFromElsewhere) {
  MeasurementPlan plan = small_plan();
  Measurement m;
  m.probe = "loop";
  m.metric = "most";
  m.plus = 1;
  plan.measurements["last"] = m;
  m.metric = "least";
  m.plus = 0;
  plan.measurements["first"] = m;
  ProbeResult three;
  three.out = {15, 13, 17};
  const FindResult find = [&](const ProbeRun&) -> const ProbeResult& { return three; };
  const auto gpu = small_gpu().config;
  EXPECT_DOUBLE_EQ(reduce(plan, "last", "g", gpu, find), 18.0);
  EXPECT_DOUBLE_EQ(reduce(plan, "first", "g", gpu, find), 13.0);
}

TEST(Points, MeasurementsThatShareRunsExecuteThemOnce) {
  std::set<ProbeRun> runs;
  for (const char* name : {"chain", "rate", "twice", "ratio", "split"}) {
    add_runs(small_plan(), name, "g", runs);
  }
  EXPECT_THAT(runs, SizeIs(2));
}

TEST(Points, EveryPointEndsInTheReportWithItsVerdictOrItsReason) {
  auto plan = small_plan();
  plan.points = {{"A100", "chain", {"chain"}, {}, {}, {}},
                 {"A100", "slow chain", {"chain"}, {}, {}, {}},
                 {"A100", "split", {"split"}, {}, {}, {}},
                 {"A100", "broken", {"broken"}, {}, {}, {}},
                 {"A100", "power", {}, "power not modelled", {}, {}},
                 {"GA106", "chain", {"chain"}, {}, {}, {}}};
  const TableFile file(std::string(kHeader) +
                       "A100,chain,4,cycles,0,NAK\nA100,slow chain,6,cycles,1,NAK\n"
                       "A100,split,46 / 62,SMs,0,GTC21\nA100,broken,1,cycles,0,NAK\n"
                       "A100,power,1,W,0,NAK\nGA106,chain,4,cycles,0,NAK\nA100,new,1,x,0,NAK\n");
  auto report = validate_points(read_points(file.path()), plan, {{"g", small_gpu()}},
                                [](const std::vector<ProbeRun>& runs) {
                                  std::vector<ProbeResult> results;
                                  for (const auto& run : runs) {
                                    results.push_back(answer(run));
                                  }
                                  return results;
                                });
  const auto j = nlohmann::json::parse(to_json_text(report));
  EXPECT_EQ(j["passed"], 2);
  EXPECT_EQ(j["failed"], 1);
  EXPECT_EQ(j["check"], (nlohmann::json{{"passed", 1}, {"failed", 1}}));
  EXPECT_EQ(j["echo"], (nlohmann::json{{"passed", 1}, {"failed", 0}}));
  EXPECT_EQ(j["not_runnable"], (nlohmann::json{{"chip without a GPU file", 1},
                                               {"no probe", 1},
                                               {"power not modelled", 1},
                                               {"probe failed", 1}}));
  EXPECT_EQ(j["probe_runs"], 3);
  EXPECT_EQ(j["points"][0]["simulated"], 4.0);
  EXPECT_EQ(j["points"][1]["verdict"], "failed");
  EXPECT_EQ(j["points"][2]["simulated"], (nlohmann::json{62.0, 46.0}));
  EXPECT_EQ(j["points"][3]["detail"], "g: broken.cu: crashed: misaligned access");
  EXPECT_THAT(to_text(report), HasSubstr("slow chain (g, check): published 6 cycles within 1, "
                                         "simulated 4"));
}

TEST(Points, EveryShippedPointHasAPlan) {
  const auto plan = MeasurementPlan::load(COULOMB_SOURCE_DIR "/kernels/probes");
  const auto table = read_points(COULOMB_SOURCE_DIR "/data/ampere/validation_points.csv");
  EXPECT_THAT(table, SizeIs(159));
  for (const auto& p : table) {
    EXPECT_NE(plan.find(p.chip, p.name), nullptr) << p.chip << ", " << p.name;
  }
  EXPECT_THAT(plan.points, SizeIs(table.size()));
}

TEST(Points, EveryShippedProbeCanBeLaunched) {
  const auto plan = MeasurementPlan::load(COULOMB_SOURCE_DIR "/kernels/probes");
  std::set<ProbeRun> runs;
  for (const auto& entry : plan.measurements) {
    add_runs(plan, entry.first, "a100-pcie-40gb", runs);
  }
  for (const auto& run : runs) {
    const auto launch = make_launch(plan.probes.at(run.probe), run.values, plan.folder);
    EXPECT_TRUE(std::filesystem::exists(launch.source)) << launch.source;
    EXPECT_NO_THROW((void)kernel::make_spec(launch));
    const Probe& probe = plan.probes.at(run.probe);
    if (!probe.program.empty()) {
      EXPECT_NO_THROW(
          (void)load_program(plan.folder + "/" + probe.program, all_values(probe, run.values)));
    }
  }
}

TEST(Points, AValueThatALaunchNeedsAndNobodyGivesIsNamed) {
  Probe probe;
  probe.source = "x.cu";
  probe.grid = "${ctas}";
  probe.block = "32";
  try {
    (void)make_launch(probe, {}, "/nowhere");
    FAIL();
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(), "\"${ctas}\": no value is called \"ctas\"");
  }
}

} // namespace
} // namespace coulomb::calibration::points
