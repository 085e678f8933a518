// SPDX-License-Identifier: Apache-2.0
// Processes that search together through one directory: run at once, killed, warned, looked at.
#include "tests/e2e/cli/specs.hpp"

#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

namespace coulomb::e2e {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

constexpr int kBudget = 40; // of both islands

Strings island(int index, const Strings& more = {}) {
  Strings args = {"search",
                  "small.json",
                  "--gpu",
                  kGpu,
                  "--budget",
                  std::to_string(kBudget),
                  "--jobs",
                  "1",
                  "--seed",
                  "3",
                  "--out",
                  "out",
                  "--island",
                  std::to_string(index) + "/2",
                  "--migration-interval",
                  "5"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

class Islands : public testing::Test {
protected:
  void SetUp() override {
    COULOMB_NEEDS_NVRTC(workplace);
    write_small_saxpy(workplace);
  }

  [[nodiscard]] Environment empty_cache() const {
    return {{"COULOMB_CACHE", workplace.path("empty_cache")}};
  }

  /// What `status` says of the islands that have begun, by number.
  [[nodiscard]] std::map<int, Json> islands() const {
    std::map<int, Json> found;
    const Result result = run(workplace, {"search", "status", "out", "--json"});
    if (result.exit_code == 0) {
      const Json status = result.json();
      for (const Json& each : status["islands"]) {
        found[each["island"]] = each;
      }
    }
    return found;
  }

  bool wait_for_evaluations(int index, int count) const {
    return eventually([&] {
      const auto found = islands();
      return found.contains(index) && found.at(index)["evaluations"] >= count;
    });
  }

  Workplace workplace;
};

TEST_F(Islands, SearchTogetherAndWhatOneLosesToAKillIsNothing) {
  Process first(workplace, island(0), empty_cache());
  Process second(workplace, island(1), empty_cache());
  ASSERT_TRUE(wait_for_evaluations(1, 4));
  second.kill(SIGKILL);
  EXPECT_EQ(second.wait().signal, SIGKILL);
  const Json before = recorded_evaluations(workplace, "out/island-1");
  EXPECT_GE(before.size(), 4U);
  ASSERT_LT(before.size(), kBudget / 2U) << "it had come to its end";
  EXPECT_EQ(islands().at(1)["state"], "killed");
  const Result whole = first.wait();
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_THAT(run(workplace, {"search", "status", "out"}).out,
              HasSubstr("\nresume     coulomb search small.json"));

  const Result resumed = run(workplace, island(1, {"--resume"}));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  std::map<int, Json> after;
  std::set<std::string> configurations;
  for (const int index : {0, 1}) {
    const Json all = recorded_evaluations(workplace, "out/island-" + std::to_string(index));
    EXPECT_EQ(all.size(), kBudget / 2U);
    for (const Json& evaluation : all) {
      configurations.insert(evaluation["configuration"].dump());
      if (index == 1) {
        after[evaluation["id"]] = evaluation;
      }
    }
  }
  for (const Json& evaluation : before) {
    EXPECT_EQ(after[evaluation["id"]], evaluation);
  }
  const Json status = run(workplace, {"search", "status", "out", "--json"}).json();
  EXPECT_EQ(status["unique"], configurations.size());
  EXPECT_EQ(status["budget"], kBudget);
  EXPECT_EQ(status["stopped_by"], "budget");
  EXPECT_GT(status["islands"][1]["immigrants"], 0) << "island 0 had something to offer";
  const Result merged = run(workplace, {"search", "merge", "out", "--out", "one", "--json"});
  ASSERT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_EQ(merged.json()["evaluations"], configurations.size());
  EXPECT_EQ(merged.json()["best"], status["best"]);
  EXPECT_EQ(run(workplace, {"search", "best", "out", "--json"}).json()["best"][0], status["best"]);
  ASSERT_EQ(run(workplace, {"report", "out"}).exit_code, 0);
  EXPECT_THAT(read(workplace, "out/report.html"), HasSubstr("2 islands: 2 stopped by budget"));
}

TEST_F(Islands, WarnedFinishWhatRunsAndLeaveWithTheCodeOfTheInterrupted) {
  for (const int signal : {SIGTERM, SIGUSR1}) {
    std::filesystem::remove_all(workplace.path("out"));
    std::filesystem::remove_all(workplace.path("empty_cache"));
    Process process(workplace, island(0, {"--lookahead", "4"}), empty_cache());
    ASSERT_TRUE(wait_for_evaluations(0, 3));
    process.kill(signal);
    process.kill(signal); // a batch system may tell the process and its script
    const Result stopped = process.wait();
    EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
    EXPECT_THAT(stopped.err, HasSubstr("stopping; what is evaluated is saved. What runs has 20 s "
                                       "to finish. Once more to stop at once.\n"));
    EXPECT_THAT(stopped.out, HasSubstr("--island 0/2 --migration-interval 5 --lookahead 4 "
                                       "--resume\n"));
    // All that was proposed came to its end: no gap is left between the ids.
    const Json evaluations = recorded_evaluations(workplace, "out/island-0");
    ASSERT_LT(evaluations.size(), kBudget / 2U);
    for (std::size_t i = 0; i < evaluations.size(); ++i) {
      EXPECT_EQ(evaluations[i]["id"], i);
    }
    EXPECT_EQ(islands().at(0)["state"], "stopped by signal");
  }
}

TEST_F(Islands, WithoutGraceDropWhatRuns) {
  write_kernel(workplace, "endless",
               "do { y[i] += 1.0f; } while (y[i] != 0.5f);"); // until the cycle limit
  Process process(workplace, {"search", "endless.json", "--gpu", kGpu, "--budget", "2", "--out",
                              "out", "--grace", "0.2", "--chip"});
  ASSERT_TRUE(eventually([&] { return !children(process.pid(), "coulomb-sim-worker").empty(); }));
  process.kill(SIGTERM);
  const Result stopped = process.wait();
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("What runs has 0.2 s to finish."));
  EXPECT_EQ(recorded_evaluations(workplace, "out").size(), 0U);
}

TEST_F(Islands, CanBeWatchedWhileTheyRun) {
  Process process(workplace, island(1, {"--metrics", "island1.prom"}), empty_cache());
  ASSERT_TRUE(eventually([&] {
    return std::filesystem::exists(workplace.path("island1.prom")) && islands().contains(1) &&
           islands().at(1).contains("host");
  }));
  const Json seen = islands().at(1);
  EXPECT_EQ(seen["state"], "running");
  EXPECT_EQ(seen["pid"], process.pid());
  EXPECT_GT(seen["memory_bytes"], 1 << 20);
  EXPECT_EQ(seen["budget"], kBudget / 2);
  const Result status = run(workplace, {"search", "status", "out"});
  EXPECT_THAT(status.out, ContainsRegex("\nisland +evaluations +per hour +ok +best +gain +workers "
                                        "+memory +cache +left +state\n1 of 2 "));
  EXPECT_THAT(status.out, HasSubstr("running (" + seen["host"].get<std::string>() + " pid " +
                                    std::to_string(process.pid()) + ")\n"));
  const Result done = process.wait();
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const std::string metrics = read(workplace, "island1.prom");
  EXPECT_THAT(metrics, HasSubstr("coulomb_search_evaluations_total{spec=\"saxpy\",gpu=\"" + kGpu +
                                 "\",island=\"1\",status=\"ok\"} 20\n"));
  EXPECT_THAT(metrics, HasSubstr("island=\"1\"} 0\n")) << "it runs no more";
  const Json after = islands().at(1);
  EXPECT_GT(after["evaluations_per_hour"], 0.0);
  EXPECT_GT(after["utilisation"], 0.5);
  EXPECT_LE(after["utilisation"], 1.0);
}

TEST(IslandOptions, ThatMeanNothingAreRefused) {
  const Workplace workplace;
  const auto refusal = [&](const Strings& more) {
    Strings args = {"search", "saxpy", "--gpu", kGpu};
    args.insert(args.end(), more.begin(), more.end());
    const Result result = run(workplace, args);
    EXPECT_EQ(result.exit_code, 2);
    return result.err.substr(0, result.err.find('\n'));
  };
  EXPECT_EQ(refusal({"--migration-interval", "3"}),
            "error: search: --migration-interval is of islands");
  EXPECT_EQ(refusal({"--island", "0/2", "--migration-interval", "0"}),
            "error: search: --migration-interval is 0; allowed: 1 to 1000000");
  EXPECT_EQ(refusal({"--island", "0/2", "--strategy", "ga-islands"}),
            "error: search: --island and --strategy ga-islands exclude each other");
  EXPECT_EQ(refusal({"--island", "0/2", "--strategy", "exhaustive"}),
            "error: search: --island and --strategy exhaustive exclude each other");
  EXPECT_EQ(refusal({"--island", "0/9", "--budget", "8"}),
            "error: search: --budget 8 is less than one evaluation for each of 9 islands");
  EXPECT_EQ(refusal({"--grace", "-1"}),
            "error: search: --grace is -1; allowed: 0 to 86400 seconds");
  EXPECT_EQ(refusal({"--island", "auto"}),
            "error: search: --island auto needs SLURM_ARRAY_TASK_ID, a number; found none");
}

} // namespace
} // namespace coulomb::e2e
