// SPDX-License-Identifier: Apache-2.0
// Ctrl-C in the middle of commands that simulate much: a partial report, and no workers left.
#include "tests/e2e/cli/specs.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::HasSubstr;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

class Interrupted : public testing::Test {
protected:
  void SetUp() override { COULOMB_NEEDS_NVRTC(workplace); }

  /// Runs `args` with an empty kernel cache until `files` kernels are compiled and a simulation
  /// worker runs, then sends SIGINT, as Ctrl-C does. Asserts that all workers end.
  Result interrupt(const Strings& args, int files) {
    const std::string cache = workplace.path("empty_cache");
    Process process(workplace, args, {{"COULOMB_CACHE", cache}});
    std::vector<pid_t> workers;
    EXPECT_TRUE(eventually([&] {
      std::error_code none_yet;
      const fs::recursive_directory_iterator all(cache, none_yet);
      const auto compiled =
          none_yet ? 0 : std::count_if(begin(all), end(all), [](const auto& entry) {
            return entry.path().extension() == ".cubin";
          });
      workers = children(process.pid(), "coulomb-sim-worker");
      return !process.running() || (compiled >= files && !workers.empty());
    }));
    const auto compilers = children(process.pid(), "coulomb-compile-worker");
    workers.insert(workers.end(), compilers.begin(), compilers.end());
    process.kill(SIGINT);
    const Result result = process.wait();
    for (const pid_t worker : workers) {
      EXPECT_TRUE(eventually([&] { return !is_alive(worker); }, 10.0)) << "process " << worker;
    }
    EXPECT_THAT(result.err, HasSubstr("\ncoulomb: stopping; what is finished will be reported. "
                                      "Once more to stop at once.\n"));
    EXPECT_EQ(result.exit_code, 130);
    return result;
  }

  Workplace workplace;
};

TEST_F(Interrupted, ValidationReportsTheRowsThatFinished) {
  const Result result = interrupt({"validate", "--silicon", write_a100_table(workplace), "--sample",
                                   "60", "--jobs", "2", "--out", "report.json"},
                                  4);
  Json report = Json::parse(read(workplace, "report.json"));
  EXPECT_EQ(report["interrupted"], true);
  const int drawn = report["drawn_rows"];
  const int finished = report["finished_rows"];
  EXPECT_EQ(drawn, report["sample"]["drawn_eligible"].get<int>() +
                       report["sample"]["drawn_failing"].get<int>());
  EXPECT_GT(finished, 0);
  EXPECT_LT(finished, drawn);
  EXPECT_EQ(report["rows"].size(), finished);
  EXPECT_THAT(result.out, HasSubstr("\nPARTIAL    interrupted: " + std::to_string(finished) +
                                    " of " + std::to_string(drawn) + " drawn rows finished\n"));
}

TEST_F(Interrupted, PointsReportThoseThatFinished) {
  const Result result =
      interrupt({"validate", "--points", COULOMB_SOURCE_DIR "/data/ampere/validation_points.csv",
                 "--jobs", "2", "--json", "--out", "points.json"},
                3);
  EXPECT_EQ(result.out, read(workplace, "points.json"));
  Json report = result.json();
  EXPECT_EQ(report["interrupted"], true);
  EXPECT_LT(report["finished_runs"], report["probe_runs"]);
  EXPECT_GT(report["not_runnable"]["interrupted"], 0);
  for (const Json& point : report["points"]) {
    if (point.value("reason", "") == "interrupted") {
      EXPECT_EQ(point["detail"], "a probe run of it had not finished");
    }
  }
}

TEST_F(Interrupted, AxesPrintTheRunsThatFinished) {
  const Result result = interrupt(
      {"run", "saxpy", "--gpu", kGpu, "--axis", "l2.hit_latency=150:349:1", "--jobs", "2"}, 0);
  EXPECT_THAT(result.err, ContainsRegex("interrupted: [0-9]+ of 200 runs finished\n$"));
}

} // namespace
} // namespace coulomb::e2e
