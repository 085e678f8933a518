// SPDX-License-Identifier: Apache-2.0
#include "search/cluster/heartbeat.hpp"

#include "search/cluster/prometheus.hpp"
#include "search/cluster/session_monitor.hpp"
#include "tests/unit/search/scratch_directory.hpp"
#include "tests/unit/search/synthetic_records.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <unistd.h>

namespace coulomb::search {
namespace {

using ::testing::HasSubstr;

Heartbeat heartbeat() {
  Heartbeat h;
  h.host = "node7";
  h.pid = 4711;
  h.started = "2026-01-31T12:34:56Z";
  h.written_s = 1'769'862'900;
  h.jobs = 4;
  h.budget = 200;
  h.fresh = 30;
  h.statuses[0] = 40; // ok
  h.statuses[2] = 10; // compile_failed
  h.first_ms = 4.0;
  h.best_ms = 2.5;
  h.session_s = 60.0;
  h.busy_s = 180.0;
  h.memory_bytes = 3 << 20;
  h.compiled = 40;
  h.cache_hits = 10;
  h.predicted = 5;
  return h;
}

TEST(Heartbeat, SurvivesItsFile) {
  const ScratchDirectory dir;
  EXPECT_EQ(read_heartbeat(dir.path("")), std::nullopt);
  write_heartbeat(dir.path(""), heartbeat());
  EXPECT_EQ(read_heartbeat(dir.path("")), heartbeat());
  Heartbeat bare = heartbeat();
  bare.first_ms = bare.best_ms = bare.busy_s = std::nullopt;
  bare.ended = "budget";
  write_heartbeat(dir.path(""), bare);
  EXPECT_EQ(read_heartbeat(dir.path("")), bare);
  std::ofstream(heartbeat_path(dir.path(""))) << R"({"host": "node7")";
  EXPECT_EQ(read_heartbeat(dir.path("")), std::nullopt) << "torn";
}

TEST(Heartbeat, AmountsToRatesOfThisSession) {
  EXPECT_EQ(heartbeat().evaluations(), 50U);
  EXPECT_DOUBLE_EQ(heartbeat().per_hour(), 1800.0);
  EXPECT_DOUBLE_EQ(heartbeat().utilisation().value(), 0.75);
  EXPECT_DOUBLE_EQ(heartbeat().cache_hit_rate().value(), 0.25);
  EXPECT_EQ(Heartbeat{}.per_hour(), 0.0);
  EXPECT_EQ(Heartbeat{}.utilisation(), std::nullopt);
  EXPECT_EQ(Heartbeat{}.cache_hit_rate(), std::nullopt);
}

/// HELP, TYPE, samples: every line of a metric, by its name.
std::map<std::string, std::vector<std::string>> metrics_of(const std::string& text) {
  std::map<std::string, std::vector<std::string>> metrics;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t from = line.starts_with("# ") ? 7 : 0; // "# HELP ", "# TYPE "
    metrics[line.substr(from, line.find_first_of(" {", from) - from)].push_back(line);
  }
  return metrics;
}

TEST(PrometheusText, HasHelpTypeAndLabelledSamplesOfEachMetric) {
  SearchHeader header = synthetic_header();
  header.spec = "a \"quoted\" \\ name";
  header.island = 3;
  header.islands = 8;
  const std::string text = prometheus_text(header, heartbeat());
  const std::string labels = R"({spec="a \"quoted\" \\ name",gpu="a100-pcie-40gb",island="3")";
  EXPECT_THAT(text, HasSubstr("# HELP coulomb_search_evaluations_total Evaluations by status, all "
                              "sessions.\n# TYPE coulomb_search_evaluations_total counter\n"
                              "coulomb_search_evaluations_total" +
                              labels + ",status=\"ok\"} 40\n"));
  EXPECT_THAT(text, HasSubstr("coulomb_search_best_time_seconds" + labels + "} 0.0025\n"));
  EXPECT_THAT(text, HasSubstr("coulomb_search_running" + labels + "} 1\n"));
  EXPECT_EQ(text.back(), '\n');
  for (const auto& [name, lines] : metrics_of(text)) {
    ASSERT_GE(lines.size(), 3U) << name;
    EXPECT_THAT(lines[0], ::testing::StartsWith("# HELP " + name + " ")) << name;
    EXPECT_TRUE(lines[1] == "# TYPE " + name + " gauge" ||
                lines[1] == "# TYPE " + name + " counter")
        << lines[1];
    EXPECT_EQ(lines[1].ends_with("counter"), name.ends_with("_total")) << name;
  }
}

TEST(PrometheusText, LeavesOutWhatIsNotKnown) {
  Heartbeat bare = heartbeat();
  bare.best_ms = bare.busy_s = std::nullopt;
  const std::string text = prometheus_text(synthetic_header(), bare);
  EXPECT_THAT(text, ::testing::Not(HasSubstr("best_time")));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("busy_seconds")));
  EXPECT_THAT(text, HasSubstr("island=\"\""));
}

TEST(SessionMonitor, SaysWhatItWasToldAndHowItEnded) {
  const ScratchDirectory dir;
  const std::string metrics = dir.path("coulomb.prom");
  {
    SessionMonitor monitor(dir.path(""), synthetic_header(), 2, metrics,
                           {.busy_s = [] { return std::optional(1.5); },
                            .predicted = [] { return std::uint64_t{7}; }});
    monitor.count(ok_record(0, 3.0), false);
    monitor.count(ok_record(1, 2.0), true);
    monitor.count(failed_record(2, eval::EvalStatus::timeout, "slow"), true);
    Evaluation hit;
    hit.compile.cache_hit = true;
    monitor.compiled(hit);
    Evaluation compiled;
    compiled.compile_s = 0.5;
    monitor.compiled(compiled);
    monitor.compiled(Evaluation{}); // restricted: nobody was asked for a kernel
    monitor.finish("signal");
    EXPECT_EQ(monitor.problem(), "");
  }
  const Heartbeat h = read_heartbeat(dir.path("")).value();
  EXPECT_EQ(h.pid, ::getpid());
  EXPECT_EQ(h.host, host_name());
  EXPECT_EQ(h.ended, "signal");
  EXPECT_EQ(h.evaluations(), 3U);
  EXPECT_EQ(h.fresh, 2U);
  EXPECT_EQ(h.first_ms, 3.0);
  EXPECT_EQ(h.best_ms, 2.0);
  EXPECT_EQ(h.busy_s, 1.5);
  EXPECT_EQ(h.predicted, 7U);
  EXPECT_EQ(h.compiled, 2U);
  EXPECT_EQ(h.cache_hits, 1U);
  EXPECT_GT(h.memory_bytes, std::uint64_t{1} << 20);
  std::ifstream file(metrics);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr("status=\"timeout\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("coulomb_search_running{spec=\"toy\",gpu=\"a100-pcie-40gb\","
                              "island=\"\"} 0\n"));
}

TEST(SessionMonitor, WithoutAPlaceToWriteToSaysWhyAndGoesOn) {
  const ScratchDirectory dir;
  SessionMonitor monitor(dir.path("gone"), synthetic_header(), 1, "", {});
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (monitor.problem().empty() && std::chrono::steady_clock::now() < end) {
    ::usleep(1000);
  }
  EXPECT_THAT(monitor.problem(), HasSubstr("heartbeat.json: No such file or directory"));
}

} // namespace
} // namespace coulomb::search
