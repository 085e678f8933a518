// SPDX-License-Identifier: Apache-2.0
// What a search is for, and searches of recorded measurements.
#include "tests/e2e/cli/specs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

constexpr const char* kTable = "convolution/convolution_A100-PCIE-40GB";

class Objectives : public testing::Test {
protected:
  void SetUp() override { write_small_saxpy(workplace); }

  [[nodiscard]] Result search(const Strings& more) const {
    Strings args = {"search", "small.json", "--gpu", kGpu, "--budget", "12", "--jobs", "2"};
    args.insert(args.end(), more.begin(), more.end());
    return run(workplace, args);
  }
  [[nodiscard]] Result replay(const Strings& more) const {
    Strings args = {"search",  "convolution", "--silicon", std::string("replay:") + kTable,
                    "--blind", "--seed",      "2"};
    args.insert(args.end(), more.begin(), more.end());
    return run(workplace, args);
  }

  Workplace workplace;
};

TEST_F(Objectives, SeveralGiveAFrontInWhichNobodyBeatsAnotherInEverything) {
  COULOMB_NEEDS_NVRTC(workplace);
  const Result result = search({"--objective", "time", "--objective", "registers", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = result.json();
  EXPECT_EQ(json["strategy"], "nsga2");
  EXPECT_EQ(json["objectives"], Json({"time", "registers"}));
  ASSERT_GE(json["front"].size(), 1U);
  EXPECT_GT(json["hypervolume"], 0.0);
  for (const Json& a : json["front"]) {
    for (const Json& b : json["front"]) {
      EXPECT_FALSE(a["objectives"]["time"] < b["objectives"]["time"] &&
                   a["objectives"]["registers"] < b["objectives"]["registers"]);
    }
  }
  EXPECT_THAT(run(workplace, {"search", "status", json["out"]}).out,
              HasSubstr("\nfront      " + std::to_string(json["front"].size())));
}

TEST_F(Objectives, AnExpressionIsMaximisedAndContinued) {
  COULOMB_NEEDS_NVRTC(workplace);
  const Strings args = {"--objective", "max ipc", "--out", "ipc", "--json"};
  const Result result = search(args);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json best =
      run(workplace, {"search", "best", "ipc", "--top", "12", "--json"}).json()["best"];
  for (std::size_t i = 1; i < best.size(); ++i) {
    EXPECT_GE(best[i - 1]["objectives"]["max ipc"], best[i]["objectives"]["max ipc"]);
  }
  EXPECT_EQ(result.json()["best"], best[0]);
  const Result other = search({"--out", "ipc", "--resume"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("objectives: recorded max ipc, now time"));
}

TEST_F(Objectives, OfPowerComeFromThePowerModel) {
  const Result energy = search({"--objective", "energy", "--out", "energy", "--json"});
  ASSERT_EQ(energy.exit_code, 0) << energy.err;
  EXPECT_GT(energy.json()["best"]["objectives"]["energy"].get<double>(), 0.0);
  const Result reward = search({"--objective", "reward", "--out", "reward", "--json"});
  ASSERT_EQ(reward.exit_code, 0) << reward.err;
}

TEST_F(Objectives, ThatAreUnknownEndTheCommandBeforeAnythingRuns) {
  const Result unknown = search({"--objective", "dram__bytes_raed.sum"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean \"dram__bytes_read.sum\"?"));
  const Result strategy =
      search({"--objective", "time", "--objective", "registers", "--strategy", "ga"});
  EXPECT_EQ(strategy.exit_code, 2);
  EXPECT_THAT(strategy.err, HasSubstr("--strategy ga takes one objective, and there are 2"));
  const Result weights = search({"--weights", "ipc=1"});
  EXPECT_EQ(weights.exit_code, 2);
  EXPECT_THAT(weights.err, HasSubstr("--weights is of --objective reward only"));
}

TEST_F(Objectives, ARewardWithoutPowerIsSearched) {
  COULOMB_NEEDS_NVRTC(workplace);
  const Result result = search({"--objective", "reward", "--weights", "ipc=0.6,latency=0.4",
                                "--weights-end", "latency=1", "--strategy", "ga-plain", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  // At the end time alone counts, relative to the first that ran.
  const Json evaluations = recorded_evaluations(workplace, result.json()["out"]);
  double fastest = 1e9;
  for (const Json& e : evaluations) {
    fastest = std::min(fastest, e.value("time_ms", 1e9));
  }
  EXPECT_EQ(result.json()["best"]["time_ms"], fastest);
  EXPECT_NEAR(result.json()["best"]["objectives"]["reward"].get<double>(),
              evaluations[0]["time_ms"].get<double>() / fastest, 1e-9);
}

TEST_F(Objectives, RecordedMeasurementsAreSearchedBlind) {
  const Result result = replay({"--budget", "60", "--out", "blind", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "2,930 of 4,362 valid configurations were measured: these are searched\n");
  const Json silicon = result.json()["silicon"];
  EXPECT_EQ(silicon["table"], kTable);
  EXPECT_EQ(silicon["runs"], 60);
  EXPECT_EQ(result.json()["space_size"], 2930);
  EXPECT_EQ(result.json()["gpu"], kGpu);
  EXPECT_EQ(silicon["best_ms"], result.json()["best"]["time_ms"]);
  EXPECT_EQ(silicon["best_params"], result.json()["best"]["params"]);
  EXPECT_DOUBLE_EQ(silicon["regret"].get<double>(),
                   silicon["best_ms"].get<double>() / silicon["optimum_ms"].get<double>() - 1.0);
  EXPECT_LT(silicon["regret"], 0.2);
  EXPECT_EQ(silicon["curve"].back()[1], silicon["best_ms"]);
  const Result again = replay({"--budget", "60", "--out", "again", "--jobs", "1"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(recorded_evaluations(workplace, "again"), recorded_evaluations(workplace, "blind"));
}

TEST_F(Objectives, RecordedFailuresAreFailuresAndTheWholeTableHasItsOptimum) {
  const Result result =
      replay({"--strategy", "exhaustive", "--budget", "4000", "--out", "all", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = result.json();
  EXPECT_EQ(json["stopped_by"], "exhausted");
  EXPECT_EQ(json["evaluations"], 2930);
  EXPECT_EQ(json["silicon"]["regret"], 0.0);
  EXPECT_EQ(json["statuses"]["launch_invalid"], 155) << "the table's runtime_error";
  EXPECT_EQ(json["statuses"]["compile_failed"], 6) << "its compile_error";
  int failed = 0;
  for (const Json& e : recorded_evaluations(workplace, "all")) {
    if (e["status"] != "ok") {
      ++failed;
      EXPECT_THAT(e["message"].get<std::string>(),
                  StartsWith("recorded as " + e["status"].get<std::string>() + " in row "));
      EXPECT_FALSE(e.contains("time_ms"));
    }
  }
  EXPECT_EQ(failed, 161);
  EXPECT_EQ(json["statuses"]["ok"], 2930 - 161);
}

TEST_F(Objectives, OfRecordedMeasurementsAreTimeOnly) {
  const Result ipc = replay({"--objective", "max ipc"});
  EXPECT_EQ(ipc.exit_code, 2);
  EXPECT_EQ(ipc.err, "error: objective: there is no metric ipc\n  there are: time_ms, cycles\n");
}

TEST_F(Objectives, OptionsThatWouldChangeNothingAreRefused) {
  const Result fence = search({"--strategy", "random", "--fence", "2"});
  EXPECT_EQ(fence.exit_code, 2);
  EXPECT_THAT(fence.err, HasSubstr("--strategy random has none"));
  const Result islands = search({"--islands", "2"});
  EXPECT_EQ(islands.exit_code, 2);
  EXPECT_EQ(islands.err, "error: search: --islands is of islands; --strategy ga has none\n"
                         "  --strategy ga-islands has\n");
}

TEST_F(Objectives, RecordedMeasurementsOfSomethingElseAreRefused) {
  const Result kernel =
      run(workplace, {"search", "saxpy", "--silicon", std::string("replay:") + kTable, "--blind"});
  EXPECT_EQ(kernel.exit_code, 2);
  EXPECT_THAT(kernel.err, HasSubstr("was measured with convolution on a100-pcie-40gb, not with "
                                    "saxpy on a100-pcie-40gb"));
  const Result board = replay({"--gpu", "rtx-3090"});
  EXPECT_EQ(board.exit_code, 2);
  const Result table = run(workplace, {"search", "convolution", "--silicon",
                                       "replay:convolution/convolution_A100", "--blind"});
  EXPECT_EQ(table.exit_code, 2);
  EXPECT_THAT(table.err, HasSubstr(kTable));
  const Result device =
      run(workplace, {"search", "convolution", "--gpu", kGpu, "--silicon", "device:0"});
  EXPECT_EQ(device.exit_code, 2);
  EXPECT_THAT(device.err, HasSubstr("--silicon-budget 10: the simulator leads"));
}

} // namespace
} // namespace coulomb::e2e
