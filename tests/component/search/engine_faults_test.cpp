// SPDX-License-Identifier: Apache-2.0
// Candidates that break whatever touches them, in the middle of a search: docs/complaints.md.
#include "base/kernel/tunable_spec.hpp"
#include "engine_fake_worker.hpp"
#include "search/engine/evaluator.hpp"
#include "search/engine/worker_pool.hpp"
#include "search/store/search_summary.hpp"
#include "tests/component/search/driven_search.hpp"
#include "tests/unit/search/scratch_directory.hpp"

#include <fmt/format.h>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace coulomb::search {
namespace {

using eval::EvalStatus;
using testing::FakeWorkers;

/// COMPILE and SIMULATE tell the fake workers what to do; `shared` bytes are asked for at launch.
constexpr const char* kSpec = R"({
  "General": {"BenchmarkName": "k"},
  "ConfigurationSpace": {
    "TuningParameters": [
      {"Name": "block_x", "Type": "int", "Values": [32, 1024], "Default": 32},
      {"Name": "block_y", "Type": "int", "Values": [1, 2], "Default": 1},
      {"Name": "shared", "Type": "int", "Values": [0, 200000], "Default": 0},
      {"Name": "COMPILE", "Type": "string",
       "Values": ["ok", "fail", "crash", "exit=3", "garbage"], "Default": "ok"},
      {"Name": "SIMULATE", "Type": "string",
       "Values": ["ok", "crash", "exit=70", "garbage", "status=wrong_result"], "Default": "ok"}
    ],
    "Conditions": []
  },
  "KernelSpecification": {
    "Language": "CUDA", "KernelName": "k", "KernelFile": "k.cu", "GlobalSizeType": "CUDA",
    "SharedMemory": "shared",
    "LocalSize": {"X": "block_x", "Y": "block_y", "Z": "1"},
    "GlobalSize": {"X": "4096 // block_x", "Y": "1", "Z": "1"},
    "Arguments": [{"Name": "out", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly",
                   "FillType": "Constant", "Size": "4096", "FillValue": 0.0, "Output": 1}]
  }
})";

std::string word(const kernel::Configuration& configuration, const char* name) {
  return kernel::to_text(*configuration.find(name));
}

/// What must become of a candidate: it follows from its own words alone.
EvalStatus fate(const kernel::Configuration& c) {
  const bool too_large = word(c, "block_x") == "1024" && word(c, "block_y") == "2";
  if (too_large || word(c, "shared") != "0") {
    return EvalStatus::launch_invalid;
  }
  if (word(c, "COMPILE") != "ok") {
    return word(c, "COMPILE") == "fail" ? EvalStatus::compile_failed : EvalStatus::crashed;
  }
  const std::string simulate = word(c, "SIMULATE");
  return simulate == "ok"                    ? EvalStatus::ok
         : simulate == "status=wrong_result" ? EvalStatus::wrong_result
                                             : EvalStatus::crashed;
}

EvaluatorOptions options(const FakeWorkers& fakes) {
  EvaluatorOptions o;
  o.jobs = 2;
  o.worker_dir = fakes.dir();
  o.compile_deadline_s = 20.0;
  o.sim_deadline_s = 20.0;
  return o;
}

config::GpuConfig gpu() {
  config::GpuConfig g;
  g.id = "test-gpu";
  g.sm.max_threads_per_cta = 1024;
  g.sm.shared.max_per_cta = 101376;
  return g;
}

TEST(FaultyCandidates, CostThemselvesAndNoneOfTheOthers) {
  const FakeWorkers fakes;
  const ScratchDirectory dir;
  const auto spec = kernel::TunableSpec::parse(kSpec, "/specs/k.json");
  const SearchSpace space(spec);
  ASSERT_EQ(space.size(), 200U);
  Evaluator evaluator(spec, gpu(), options(fakes));
  const std::atomic<bool> stop{false};
  std::ostringstream sink;
  Progress progress(sink, Progress::Style::lines, 1000);
  SearchStore store = SearchStore::create(dir.path("s"), synthetic_header());
  SearchDriver driver(space, store,
                      {.submit = [&](const Candidate& c) { evaluator.submit(c); },
                       .next = [&] { return evaluator.next(); }},
                      Scorer(ObjectiveSettings{}), stop, progress);

  EXPECT_EQ(driver.run(find_strategy("exhaustive").make(space, {.lookahead = 8}), 1000),
            "exhausted");

  const auto& evaluations = store.records().evaluations;
  ASSERT_EQ(evaluations.size(), 200U);
  for (const EvaluationRecord& e : evaluations) {
    ASSERT_EQ(eval::to_string(e.status), eval::to_string(fate(e.configuration)))
        << e.configuration.key() << ": " << e.message;
    ASSERT_EQ(e.message.empty(), e.status == EvalStatus::ok) << e.configuration.key();
  }
}

TEST(FaultyCandidates, ThatNoGpuCanLaunchNeverReachACompiler) {
  const FakeWorkers fakes;
  const auto spec = kernel::TunableSpec::parse(kSpec, "/specs/k.json");
  const auto candidate = [&](std::uint64_t id, const std::vector<std::string>& changes) {
    return Candidate{id, spec.configuration(changes)};
  };
  Evaluator evaluator(spec, gpu(), options(fakes));
  std::vector<Evaluation> results;
  evaluator.evaluate({candidate(0, {"shared=200000"}), candidate(1, {"block_x=1024", "block_y=2"})},
                     [&](const Evaluation& e) { results.push_back(e); });
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].status, EvalStatus::launch_invalid);
  EXPECT_EQ(results[0].message,
            "200,000 bytes of dynamic shared memory; at most 101,376 are allowed on test-gpu");
  EXPECT_EQ(results[1].status, EvalStatus::launch_invalid);
  EXPECT_EQ(results[1].message, "block 1024 x 2 x 1 has 2,048 threads; at most 1,024 are allowed");
  EXPECT_EQ(fakes.log(), "") << "no worker saw them";
}

TEST(Deadline, ThatIsLongerThanAClockCountsIsNone) {
  const FakeWorkers fakes;
  WorkerPool pool({.executables = {fakes.sim(), fakes.compile()}, .jobs = 1});
  for (const double seconds : {1e12, 1e300, std::numeric_limits<double>::infinity()}) {
    std::promise<JobEnd> end;
    pool.submit({WorkerKind::simulate, 0, "sleep=50", seconds},
                [&](const JobResult& result) { end.set_value(result.end); });
    EXPECT_EQ(end.get_future().get(), JobEnd::answered) << seconds;
  }
  EXPECT_EQ(pool.statistics().deadlines, 0U);
}

} // namespace
} // namespace coulomb::search
