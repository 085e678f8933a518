// SPDX-License-Identifier: Apache-2.0
// Searches whose candidates meet perturbed GPUs.
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

class RobustSearch : public testing::Test {
protected:
  void SetUp() override { write_small_saxpy(workplace); }

  [[nodiscard]] static Strings words(const Strings& more) {
    Strings args = {"search", "small.json", "--gpu", kGpu, "--strategy", "exhaustive"};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  [[nodiscard]] Result search(const Strings& more) const { return run(workplace, words(more)); }
  /// The message of a search that is refused with exit code 2.
  [[nodiscard]] std::string refusal(const Strings& more) const {
    const Result result = search(more);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    return result.err;
  }
  /// Model noise of one choice.
  void write_noise(const std::string& key, const std::string& value) const {
    workplace.write("noise.toml", "schema = 1\n[[perturbation]]\nname = \"one\"\nkeys = [\"" + key +
                                      "\"]\ndistribution = \"choice\"\nvalues = [\"" + value +
                                      "\"]\nbasis = \"assumption\"\nsource = \"a test\"\n");
  }
  /// Time of a configuration of the search on the GPU with these changes, ms.
  [[nodiscard]] double time_of(const Json& evaluation, const Json& changes) const {
    Strings args = {"run", "small.json", "--gpu", kGpu, "--json"};
    for (const auto& [name, value] : evaluation["params"].items()) {
      args.insert(args.end(), {"--param", name + "=" + value.dump()});
    }
    for (const Json& change : changes) {
      args.insert(args.end(), {"--set", change});
    }
    return run(workplace, args).json()["time_ms"].get<double>();
  }

  Workplace workplace;
};

TEST_F(RobustSearch, RanksByTheMeanOfTheTimesThatRunsOnThePerturbedGpusHave) {
  COULOMB_NEEDS_NVRTC(workplace);
  const Result result =
      search({"--budget", "4", "--jobs", "2", "--robust", "2", "--out", "robust", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json best = result.json()["best"];
  EXPECT_EQ(result.json()["objectives"], Json({"robust__time_ms.mean"}));
  const Json exported = run(workplace, {"search", "export", "robust", "--format", "json"}).json();
  const Json draws = exported["noise_draws"];
  ASSERT_EQ(draws.size(), 2U);
  const double first = time_of(best, draws[0]);
  const double second = time_of(best, draws[1]);
  EXPECT_NE(first, second);
  EXPECT_DOUBLE_EQ(best["objectives"]["robust__time_ms.mean"], (first + second) / 2.0);
  EXPECT_EQ(best["time_ms"], time_of(best, Json::array())) << "of the stated GPU";
  const Json counters = exported["evaluations"][best["id"].get<std::size_t>()]["counters"];
  EXPECT_EQ(counters["robust__time_ms.worst"], std::max(first, second));
  for (const Json& e : exported["evaluations"]) {
    EXPECT_GE(e["counters"]["robust__time_ms.mean"], best["objectives"]["robust__time_ms.mean"]);
  }
}

TEST_F(RobustSearch, DoesNotDependOnTheJobsNorOnTheSeedOfTheSearch) {
  COULOMB_NEEDS_NVRTC(workplace);
  for (const Strings& more : {Strings{"--jobs", "2", "--out", "two", "--seed", "1"},
                              Strings{"--jobs", "1", "--out", "one", "--seed", "2"}}) {
    Strings args = {"--budget", "4", "--robust", "2", "--robust-score", "worst"};
    args.insert(args.end(), more.begin(), more.end());
    const Result result = search(args);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  EXPECT_EQ(recorded_evaluations(workplace, "one"), recorded_evaluations(workplace, "two"));
}

TEST_F(RobustSearch, GoesOnAfterASignalToTheSameResult) {
  COULOMB_NEEDS_NVRTC(workplace);
  const auto args = [](const std::string& out, const Strings& more) {
    Strings all = {"--budget", "8", "--jobs", "2", "--robust", "2", "--out", out, "--json"};
    all.insert(all.end(), more.begin(), more.end());
    return words(all);
  };
  // The cache is empty, so that the compilations leave time to stop in the middle.
  Process process(workplace, args("out", {}), {{"COULOMB_CACHE", workplace.path("empty")}});
  ASSERT_TRUE(eventually([&] {
    const Result status = run(workplace, {"search", "status", "out", "--json"});
    return !process.running() ||
           (status.exit_code == 0 && status.json()["evaluations"].get<int>() > 0);
  }));
  process.kill(SIGINT);
  const Result stopped = process.wait();
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_EQ(stopped.json()["stopped_by"], "signal");
  const Result resumed = run(workplace, args("out", {"--resume"}));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(resumed.json()["evaluations"], 8);
  EXPECT_EQ(run(workplace, args("whole", {})).exit_code, 0);
  EXPECT_EQ(recorded_evaluations(workplace, "out"), recorded_evaluations(workplace, "whole"));
}

TEST_F(RobustSearch, IsNotContinuedUnderOtherNoise) {
  COULOMB_NEEDS_NVRTC(workplace);
  write_noise("dram.queue", "16");
  const Strings recorded = {"--budget", "1", "--out", "out", "--noise", "noise.toml"};
  const auto with = [&](const Strings& more) {
    Strings args = recorded;
    args.insert(args.end(), more.begin(), more.end());
    return args;
  };
  ASSERT_EQ(search(with({"--robust", "2"})).exit_code, 0);
  EXPECT_EQ(search(with({"--robust", "2", "--resume"})).exit_code, 0);
  EXPECT_THAT(refusal(with({"--robust", "3", "--resume"})),
              HasSubstr("draws of the model noise: recorded 2, now 3\n"));
  EXPECT_THAT(refusal(with({"--robust", "2", "--robust-score", "worst", "--resume"})),
              HasSubstr("objectives: recorded robust__time_ms.mean, now robust__time_ms.worst\n"));
  write_noise("dram.queue", "17");
  EXPECT_THAT(refusal(with({"--robust", "2", "--resume"})),
              HasSubstr("draw 1 of the model noise: recorded dram.queue=16, now dram.queue=17\n"));
}

TEST_F(RobustSearch, GivesACandidateTheFateThatItHasOnAPerturbedGpu) {
  COULOMB_NEEDS_NVRTC(workplace);
  write_noise("sm.max_threads_per_cta", "32");
  const Result result =
      search({"--budget", "1", "--robust", "1", "--noise", "noise.toml", "--out", "out", "--json"});
  EXPECT_EQ(result.exit_code, 4) << "no configuration ran on all GPUs";
  const Json evaluation = recorded_evaluations(workplace, "out")[0];
  EXPECT_EQ(evaluation["status"], "launch_invalid");
  EXPECT_THAT(
      evaluation["message"].get<std::string>(),
      testing::MatchesRegex("under draw 1 of 1 of the model noise: block .* has .* threads; "
                            "at most 32 are allowed"));
  EXPECT_FALSE(evaluation.contains("time_ms"));
}

TEST_F(RobustSearch, RefusesWhatWouldChangeNothing) {
  EXPECT_THAT(refusal({"--robust", "0"}),
              StartsWith("error: search: --robust is 0; allowed: 1 to 64"));
  EXPECT_THAT(refusal({"--noise", "noise.toml"}),
              StartsWith("error: search: --noise is of a robust search\n"));
  EXPECT_THAT(refusal({"--robust-score", "worst"}),
              StartsWith("error: search: --robust-score is of a robust search\n"));
  EXPECT_THAT(refusal({"--robust", "2", "--robust-score", "wurst"}),
              HasSubstr("no robust score \"wurst\" (did you mean \"worst\"?)"));
  EXPECT_THAT(refusal({"--robust", "2", "--robust-score", "worst", "--objective", "time"}),
              HasSubstr("--objective robust__time_ms.worst says the same"));
  EXPECT_THAT(refusal({"--objective", "robust__time_ms.worst"}),
              StartsWith("error: objective: robust__time_ms.worst is of perturbed GPUs, and there "
                         "are none\n"));
  EXPECT_THAT(refusal({"--robust", "2", "--noise", "none.toml"}), HasSubstr("none.toml"));
  const Result blind =
      run(workplace, {"search", "convolution", "--silicon",
                      "replay:convolution/convolution_A100-PCIE-40GB", "--blind", "--robust", "2"});
  EXPECT_EQ(blind.exit_code, 2);
  EXPECT_THAT(blind.err, HasSubstr("--robust perturbs the simulated GPU; --blind simulates none"));
}

} // namespace
} // namespace coulomb::e2e
