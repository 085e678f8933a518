// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/cli/specs.hpp"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

constexpr int kBudget = 40;

Strings search(const std::string& out, const Strings& more = {}) {
  Strings args = {"search", "small.json", "--gpu",  kGpu, "--budget", std::to_string(kBudget),
                  "--jobs", "2",          "--seed", "3",  "--out",    out};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

/// Number of recorded evaluations, as a user sees it from outside; 0 while there is no search yet.
int evaluations(const Workplace& workplace, const std::string& out) {
  const Result result = run(workplace, {"search", "status", out, "--json"});
  return result.exit_code == 0 ? result.json()["evaluations"].get<int>() : 0;
}

/// A search whose compilations take a while because its cache is empty, so that it can be stopped
/// in the middle.
class StoppedSearch : public testing::Test {
protected:
  void SetUp() override {
    COULOMB_NEEDS_NVRTC(workplace);
    write_small_saxpy(workplace);
  }

  [[nodiscard]] Environment empty_cache() const {
    return {{"COULOMB_CACHE", workplace.path("empty_cache")}};
  }

  bool wait_for_evaluations(Process& process, int count) const {
    return eventually([&] { return !process.running() || evaluations(workplace, "out") >= count; });
  }

  void expect_same_as_uninterrupted() const {
    const Result resumed = run(workplace, search("out", {"--resume", "--json"}));
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    const Result whole = run(workplace, search("whole", {"--json"}));
    ASSERT_EQ(whole.exit_code, 0) << whole.err;
    EXPECT_EQ(resumed.json()["evaluations"], kBudget);
    EXPECT_EQ(resumed.json()["sessions"], 2);
    EXPECT_EQ(resumed.json()["best"], whole.json()["best"]);
    EXPECT_EQ(recorded_evaluations(workplace, "out"), recorded_evaluations(workplace, "whole"));
  }

  Workplace workplace;
};

TEST_F(StoppedSearch, BySigintSavesAndGoesOnToTheSameResult) {
  Process process(workplace, search("out"), empty_cache());
  ASSERT_TRUE(wait_for_evaluations(process, 5));
  process.kill(SIGINT);
  const Result stopped = process.wait();
  EXPECT_EQ(stopped.exit_code, 130);
  EXPECT_THAT(stopped.out, HasSubstr("stopped by signal"));
  EXPECT_THAT(stopped.out, HasSubstr("resume     coulomb search small.json --gpu " + kGpu));
  EXPECT_THAT(stopped.err, HasSubstr("stopping; what is evaluated is saved"));
  const int saved = evaluations(workplace, "out");
  EXPECT_GE(saved, 5);
  EXPECT_LT(saved, kBudget);
  expect_same_as_uninterrupted();
}

TEST_F(StoppedSearch, ByAKillLosesNothingAndGoesOnToTheSameResult) {
  Process process(workplace, search("out"), empty_cache());
  ASSERT_TRUE(wait_for_evaluations(process, 5));
  process.kill(SIGKILL);
  EXPECT_EQ(process.wait().signal, SIGKILL);
  const int saved = evaluations(workplace, "out");
  EXPECT_GE(saved, 5);
  EXPECT_LT(saved, kBudget);
  const Json before = recorded_evaluations(workplace, "out");
  EXPECT_THAT(run(workplace, {"search", "status", "out"}).out, HasSubstr("killed\n"));
  expect_same_as_uninterrupted();
  // The journal is written in the order of completion, so a kill may leave gaps between the ids.
  const Json after = recorded_evaluations(workplace, "out");
  for (const Json& evaluation : before) {
    EXPECT_EQ(after[evaluation["id"].get<std::size_t>()], evaluation);
  }
}

TEST_F(StoppedSearch, ByAKillLeavesNoWorkersBehind) {
  Process process(workplace, search("out"), empty_cache());
  ASSERT_TRUE(wait_for_evaluations(process, 2));
  std::vector<pid_t> workers;
  const auto both_kinds_run = [&] {
    workers = children(process.pid(), "coulomb-sim-worker");
    const auto compilers = children(process.pid(), "coulomb-compile-worker");
    const bool both = !workers.empty() && !compilers.empty();
    workers.insert(workers.end(), compilers.begin(), compilers.end());
    return both;
  };
  ASSERT_TRUE(eventually(both_kinds_run));
  process.kill(SIGKILL);
  EXPECT_EQ(process.wait().signal, SIGKILL);
  for (const pid_t worker : workers) {
    EXPECT_TRUE(eventually([&] { return !is_alive(worker); }, 10.0)) << "process " << worker;
  }
}

TEST_F(StoppedSearch, IsReportedAsRunningWhileItRuns) {
  Process process(workplace, search("out"), empty_cache());
  ASSERT_TRUE(wait_for_evaluations(process, 1));
  Json status = run(workplace, {"search", "status", "out", "--json"}).json();
  EXPECT_EQ(status["running"], true);
  EXPECT_EQ(status["stopped_by"], nullptr);
  const Result second = run(workplace, search("out", {"--resume"}));
  EXPECT_EQ(second.exit_code, 3);
  EXPECT_EQ(second.err, "error: out/search.journal is being written by another process (pid " +
                            std::to_string(process.pid()) +
                            ")\n  wait for it to end, or choose another --out\n");
  process.kill(SIGINT);
  EXPECT_EQ(process.wait().exit_code, 130);
}

TEST_F(StoppedSearch, IsNotOverwritten) {
  ASSERT_EQ(run(workplace, search("out", {"--budget", "3"})).exit_code, 2)
      << "an option given twice";
  const Strings args = {"search", "small.json", "--gpu", kGpu, "--budget", "3", "--out", "out"};
  ASSERT_EQ(run(workplace, args).exit_code, 0);
  const Result again = run(workplace, args);
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_EQ(again.err, "error: out holds a search already: 3 of 3 evaluations\n"
                       "  continue it with --resume, or choose another --out\n");
}

TEST_F(StoppedSearch, IsNotContinuedWithAnotherSeed) {
  Strings args = {"search", "small.json", "--gpu", kGpu, "--budget", "3", "--out", "out"};
  ASSERT_EQ(run(workplace, args).exit_code, 0);
  args.insert(args.end(), {"--resume", "--seed", "2", "--json"});
  const Result result = run(workplace, args);
  EXPECT_EQ(result.exit_code, 2);
  Json error = error_of(result, "input");
  EXPECT_EQ(error["message"], "out was recorded by another search:\n  seed: recorded 1, now 2");
  EXPECT_EQ(error["hint"], "repeat its command with --resume: coulomb search small.json --gpu " +
                               kGpu + " --budget 3 --out out");
}

} // namespace
} // namespace coulomb::e2e
