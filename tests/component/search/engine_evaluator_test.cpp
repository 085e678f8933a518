// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/random.hpp"
#include "engine_fake_worker.hpp"
#include "search/engine/evaluator.hpp"

#include <chrono>
#include <fmt/format.h>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace coulomb::search {
namespace {

using eval::EvalStatus;
using ::testing::ElementsAre;
using testing::FakeWorkers;
using ::testing::HasSubstr;
using ::testing::Not;

/// COMPILE and SIMULATE tell the fake workers what to do.
constexpr const char* kSpec = R"({
  "General": {"BenchmarkName": "k"},
  "ConfigurationSpace": {
    "TuningParameters": [
      {"Name": "block_size_x", "Type": "int", "Values": [32, 64, 96, 1024, 2048], "Default": 32},
      {"Name": "COMPILE", "Type": "string", "Values": ["ok"], "Default": "ok"},
      {"Name": "SIMULATE", "Type": "string", "Values": ["ok"], "Default": "ok"}
    ],
    "Conditions": [{"Expression": "block_size_x != 96", "Parameters": ["block_size_x"]}]
  },
  "KernelSpecification": {
    "Language": "CUDA", "KernelName": "k", "KernelFile": "k.cu", "GlobalSizeType": "CUDA",
    "LocalSize": {"X": "block_size_x", "Y": "1", "Z": "1"},
    "GlobalSize": {"X": "4096 // block_size_x", "Y": "1", "Z": "1"},
    "Arguments": [{"Name": "out", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly",
                   "FillType": "Constant", "Size": "4096", "FillValue": 0.0, "Output": 1}]
  }
})";

config::GpuConfig gpu() {
  config::GpuConfig g;
  g.id = "test-gpu";
  return g;
}

kernel::TunableSpec spec() {
  return kernel::TunableSpec::parse(kSpec, "/specs/k.json");
}

Candidate candidate(std::uint64_t id,
                    const std::string& compile = "ok",
                    const std::string& simulate = "ok",
                    std::int64_t block = 32) {
  return {id, kernel::Configuration(
                  {{"block_size_x", block}, {"COMPILE", compile}, {"SIMULATE", simulate}})};
}

EvaluatorOptions options(const FakeWorkers& fakes, std::uint32_t jobs = 2) {
  EvaluatorOptions o;
  o.jobs = jobs;
  o.worker_dir = fakes.dir();
  o.compile_deadline_s = 20.0;
  o.sim_deadline_s = 20.0;
  return o;
}

std::vector<Evaluation> evaluate(Evaluator& evaluator, const std::vector<Candidate>& candidates) {
  std::vector<Evaluation> results;
  evaluator.evaluate(candidates, [&](const Evaluation& e) { results.push_back(e); });
  return results;
}

std::vector<Evaluation> evaluate(const EvaluatorOptions& o,
                                 const std::vector<Candidate>& candidates) {
  Evaluator evaluator(spec(), gpu(), o);
  return evaluate(evaluator, candidates);
}

/// All of an evaluation that must not depend on time or on the number of jobs.
std::string identity(const Evaluation& e) {
  return fmt::format("{} {} {} \"{}\" {} {} same_as={} {}", e.id, e.configuration.key(),
                     eval::to_string(e.status), e.message, e.compile.cubin_hash, e.sim.time_ms,
                     e.same_as ? std::to_string(*e.same_as) : "none", e.sim.id);
}

TEST(Evaluator, CompilesAndSimulates) {
  const FakeWorkers fakes;
  const auto r = evaluate(options(fakes), {candidate(7, "sleep=20", "sleep=30", 64)});
  ASSERT_EQ(r.size(), 1U);
  EXPECT_EQ(r[0].id, 7U);
  EXPECT_EQ(r[0].status, EvalStatus::ok);
  EXPECT_EQ(r[0].message, "");
  EXPECT_EQ(r[0].launch.block.x, 64U);
  EXPECT_EQ(r[0].launch.grid.x, 64U);
  EXPECT_EQ(r[0].compile.cubin_hash, "code7");
  EXPECT_EQ(r[0].sim.time_ms, 1.0625);
  EXPECT_EQ(r[0].sim.ctas_total, 64U);
  EXPECT_GE(r[0].compile_s, 0.02);
  EXPECT_GE(r[0].sim_s, 0.03);
  EXPECT_EQ(fakes.log(), "compile 7\nsimulate 7\n");
}

TEST(Evaluator, DeliversInTheOrderOfCandidatesWhateverFinishesFirst) {
  const FakeWorkers fakes;
  const auto r =
      evaluate(options(fakes, 4), {candidate(0, "sleep=200"), candidate(1, "ok", "sleep=100"),
                                   candidate(2), candidate(3, "ok", "ok", 96), candidate(4)});
  std::vector<std::uint64_t> ids;
  for (const auto& e : r) {
    ids.push_back(e.id);
  }
  EXPECT_THAT(ids, ElementsAre(0, 1, 2, 3, 4));
}

TEST(Evaluator, GivesTheSameWithOneAndWithFourJobs) {
  std::vector<Candidate> candidates;
  RandomStream random(3, "engine test");
  for (std::uint64_t id = 0; id < 60; ++id) {
    const std::string code = fmt::format("code=c{} sleep={}", random.below(12), random.below(8));
    const std::string fault = random.chance(0.1)   ? "crash"
                              : random.chance(0.1) ? "status=deadlock"
                                                   : "";
    candidates.push_back(candidate(
        id, random.chance(0.1) ? "fail" : code, fmt::format("sleep={} {}", random.below(8), fault),
        random.chance(0.1) ? 96 : 32 * static_cast<std::int64_t>(1 + random.below(2))));
  }
  // The fate of a simulation follows from its code alone, as with real workers.
  for (auto& c : candidates) {
    const auto compile = std::get<std::string>(*c.configuration.find("COMPILE"));
    c.configuration.set("SIMULATE", compile.starts_with("code=c1 ") ? std::string("crash")
                                                                    : std::string("sleep=3"));
  }
  std::vector<std::vector<std::string>> runs;
  for (const std::uint32_t jobs : {1U, 4U}) {
    const FakeWorkers fakes;
    runs.emplace_back();
    for (const auto& e : evaluate(options(fakes, jobs), candidates)) {
      runs.back().push_back(identity(e));
    }
  }
  ASSERT_EQ(runs[0].size(), 60U);
  EXPECT_EQ(runs[0], runs[1]);
}

TEST(Evaluator, NeverCompilesWhatIsRestricted) {
  const FakeWorkers fakes;
  const auto r = evaluate(options(fakes), {candidate(0, "ok", "ok", 96)});
  EXPECT_EQ(r.at(0).status, EvalStatus::restricted);
  EXPECT_EQ(r.at(0).message, "violates the restriction block_size_x != 96");
  EXPECT_EQ(fakes.log(), "");
}

TEST(Evaluator, NeverCompilesWhatCannotBeLaunched) {
  const FakeWorkers fakes;
  const auto r =
      evaluate(options(fakes), {candidate(0, "ok", "ok", 2048), candidate(1, "ok", "ok", 0)});
  EXPECT_EQ(r.at(0).status, EvalStatus::launch_invalid);
  EXPECT_EQ(r.at(0).message, "block dimension x is 2,048; 1 to 1,024 are allowed");
  EXPECT_EQ(r.at(1).status, EvalStatus::launch_invalid);
  EXPECT_THAT(r.at(1).message, Not(::testing::IsEmpty()));
  EXPECT_EQ(fakes.log(), "");
}

TEST(Evaluator, DoesNotSimulateWhatDoesNotCompile) {
  const FakeWorkers fakes;
  const auto r = evaluate(options(fakes), {candidate(0, "fail")});
  EXPECT_EQ(r.at(0).status, EvalStatus::compile_failed);
  EXPECT_EQ(r.at(0).message, "k.cu(3): error: expected a ;");
  EXPECT_EQ(fakes.log(), "compile 0\n");
}

TEST(Evaluator, PassesOnTheStatusOfASimulation) {
  const FakeWorkers fakes;
  const auto r =
      evaluate(options(fakes), {candidate(0, "ok", "status=wrong_result"), candidate(1)});
  EXPECT_EQ(r.at(0).status, EvalStatus::wrong_result);
  EXPECT_EQ(r.at(0).message, "as asked");
  EXPECT_EQ(r.at(1).status, EvalStatus::ok);
}

TEST(Evaluator, ACrashCostsOneCandidateAfterOneRetry) {
  const FakeWorkers fakes;
  const auto r = evaluate(options(fakes),
                          {candidate(0), candidate(1, "ok", "crash"), candidate(2, "exit=3"),
                           candidate(3, "ok", "exit_once=" + fakes.dir() + "/once"), candidate(4)});
  EXPECT_EQ(r.at(0).status, EvalStatus::ok);
  EXPECT_EQ(r.at(1).status, EvalStatus::crashed);
  EXPECT_EQ(r.at(1).message, "simulation worker killed by signal 11 (SIGSEGV), on each of 2 tries");
  EXPECT_EQ(r.at(2).status, EvalStatus::crashed);
  EXPECT_EQ(r.at(2).message, "compile worker exited with code 3, on each of 2 tries");
  EXPECT_EQ(r.at(3).status, EvalStatus::ok);
  EXPECT_EQ(r.at(4).status, EvalStatus::ok);
}

TEST(Evaluator, AHangCostsOneCandidateItsDeadline) {
  const FakeWorkers fakes;
  auto o = options(fakes);
  o.compile_deadline_s = 0.5;
  o.sim_deadline_s = 0.75;
  const auto r = evaluate(o, {candidate(0, "hang"), candidate(1, "ok", "hang"), candidate(2)});
  EXPECT_EQ(r.at(0).status, EvalStatus::compile_timeout);
  EXPECT_EQ(r.at(0).message, "compilation stopped at its deadline of 0.5 s");
  EXPECT_EQ(r.at(1).status, EvalStatus::timeout);
  EXPECT_EQ(r.at(1).message, "simulation stopped at its deadline of 0.75 s");
  EXPECT_EQ(r.at(2).status, EvalStatus::ok);
}

TEST(Evaluator, AnswersThatCannotBeReadAreCrashes) {
  const FakeWorkers fakes;
  const auto r = evaluate(options(fakes), {candidate(0, "garbage"), candidate(1, "ok", "garbage")});
  EXPECT_EQ(r.at(0).status, EvalStatus::crashed);
  EXPECT_THAT(r.at(0).message, HasSubstr("the compile worker's answer cannot be read: "));
  EXPECT_EQ(r.at(1).status, EvalStatus::crashed);
  EXPECT_THAT(r.at(1).message, HasSubstr("the simulation worker's answer cannot be read: "));
}

TEST(Evaluator, SimulatesEqualCodeWithEqualLaunchOnce) {
  const FakeWorkers fakes;
  Evaluator evaluator(spec(), gpu(), options(fakes, 1));
  // 0 is slow to compile, so 1 is simulated first; the order of ids decides all the same.
  auto r = evaluate(evaluator, {candidate(0, "code=x sleep=100"), candidate(1, "code=x"),
                                candidate(2, "code=x", "ok", 64), candidate(3, "code=y")});
  EXPECT_FALSE(r.at(0).same_as.has_value());
  EXPECT_EQ(r.at(1).same_as, 0U);
  EXPECT_EQ(r.at(1).sim_s, 0.0);
  EXPECT_GT(r.at(1).compile_s, 0.0);
  EXPECT_EQ(r.at(1).sim.id, 1U);
  EXPECT_EQ(r.at(1).sim.time_ms, r.at(0).sim.time_ms);
  EXPECT_FALSE(r.at(2).same_as.has_value()); // another launch
  EXPECT_FALSE(r.at(3).same_as.has_value());
  r = evaluate(evaluator, {candidate(4, "code=x")}); // a later batch
  EXPECT_EQ(r.at(0).same_as, 0U);
  EXPECT_EQ(r.at(0).status, EvalStatus::ok);
  std::size_t simulations = 0;
  const std::string log = fakes.log();
  for (std::size_t at = log.find("simulate"); at != std::string::npos;
       at = log.find("simulate", at + 1)) {
    ++simulations;
  }
  EXPECT_EQ(simulations, 3U);
}

TEST(Evaluator, SharesAFailedSimulationToo) {
  const FakeWorkers fakes;
  const auto r =
      evaluate(options(fakes), {candidate(0, "code=x", "crash"), candidate(1, "code=x", "crash")});
  EXPECT_EQ(r.at(0).status, EvalStatus::crashed);
  EXPECT_EQ(r.at(1).status, EvalStatus::crashed);
  EXPECT_EQ(r.at(1).same_as, 0U);
}

TEST(Evaluator, CancelDropsWhatIsNotFinishedAndDeliversAPrefix) {
  const FakeWorkers fakes;
  Evaluator evaluator(spec(), gpu(), options(fakes, 2));
  std::vector<Candidate> candidates = {candidate(0), candidate(1, "hang")};
  for (std::uint64_t id = 2; id < 40; ++id) {
    candidates.push_back(candidate(id, "ok", "sleep=5"));
  }
  std::vector<std::uint64_t> delivered;
  std::promise<void> first;
  std::thread canceller([&] {
    first.get_future().wait();
    evaluator.cancel();
  });
  const std::size_t n = evaluator.evaluate(candidates, [&](const Evaluation& e) {
    delivered.push_back(e.id);
    first.set_value();
  });
  canceller.join();
  EXPECT_EQ(n, 1U);
  EXPECT_THAT(delivered, ElementsAre(0));
  EXPECT_TRUE(evaluator.cancelled());
  EXPECT_EQ(evaluator.evaluate({candidate(50)}, [](const Evaluation&) {}), 0U);
}

TEST(Evaluator, CancelFromTheReceiverStopsAtOnce) {
  const FakeWorkers fakes;
  Evaluator evaluator(spec(), gpu(), options(fakes, 2));
  std::vector<Candidate> candidates;
  for (std::uint64_t id = 0; id < 30; ++id) {
    candidates.push_back(candidate(id));
  }
  candidates.push_back(candidate(30, "hang"));
  std::size_t seen = 0;
  const std::size_t n = evaluator.evaluate(candidates, [&](const Evaluation&) {
    if (++seen == 3) {
      evaluator.cancel();
    }
  });
  EXPECT_EQ(n, seen);
  EXPECT_LT(n, 31U);
}

TEST(Evaluator, CancelWithKeepFinishedDeliversWhatFinishedBehindAGap) {
  const FakeWorkers fakes;
  EvaluatorOptions o = options(fakes, 2);
  o.keep_finished = true;
  std::unique_ptr<Evaluator> evaluator;
  std::unique_ptr<Evaluator> other;
  const auto pool = make_worker_pool(o);
  o.pool = pool.get();
  evaluator = std::make_unique<Evaluator>(spec(), gpu(), o);
  other = std::make_unique<Evaluator>(spec(), gpu(), o);
  std::jthread canceller([&] {
    const auto begun = [&](const char* line) {
      return fakes.log().find(line) != std::string::npos;
    };
    while (!begun("simulate 1") || !begun("simulate 2")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    // One worker hangs, so this is done by the one that did 1 and 2.
    (void)evaluate(*other, {candidate(99)});
    evaluator->cancel();
  });
  std::vector<std::uint64_t> delivered;
  const std::size_t n =
      evaluator->evaluate({candidate(0, "hang"), candidate(1), candidate(2)},
                          [&](const Evaluation& e) { delivered.push_back(e.id); });
  EXPECT_EQ(n, 2U);
  EXPECT_THAT(delivered, ElementsAre(1, 2));
}

TEST(Evaluator, SharesTheWorkersOfOnePool) {
  const FakeWorkers fakes;
  EvaluatorOptions o = options(fakes, 2);
  std::vector<std::unique_ptr<Evaluator>> evaluators;
  const auto pool = make_worker_pool(o);
  o.pool = pool.get();
  for (int i = 0; i < 3; ++i) {
    evaluators.push_back(std::make_unique<Evaluator>(spec(), gpu(), o));
  }
  std::vector<std::string> found(3);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 3; ++i) {
      threads.emplace_back([&, i] {
        found[i] = identity(evaluate(*evaluators[i], {candidate(i, "ok", "sleep=20")}).at(0));
      });
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(found[i], identity(evaluate(options(fakes), {candidate(i, "ok", "sleep=20")}).at(0)));
  }
  EXPECT_LE(pool->statistics().most_busy, 2U);
}

TEST(Evaluator, ThrowsWhatTheReceiverThrows) {
  const FakeWorkers fakes;
  Evaluator evaluator(spec(), gpu(), options(fakes));
  EXPECT_THROW(evaluator.evaluate({candidate(0), candidate(1, "hang")},
                                  [](const Evaluation&) { throw std::runtime_error("disk full"); }),
               std::runtime_error);
  EXPECT_TRUE(evaluator.cancelled());
}

TEST(Evaluator, EndsWithTheFixWhenThereIsNoCompiler) {
  const FakeWorkers fakes;
  try {
    evaluate(options(fakes), {candidate(0), candidate(1, "no_compiler"), candidate(2)});
    FAIL();
  } catch (const EnvironmentError& e) {
    EXPECT_STREQ(e.what(), "NVRTC was not found");
    EXPECT_EQ(e.hint(), "scripts/setup installs it");
  }
}

TEST(Evaluator, SaysWhichWorkerIsMissing) {
  const FakeWorkers fakes;
  auto o = options(fakes);
  o.worker_dir = "/nonexistent";
  try {
    evaluate(o, {});
    FAIL();
  } catch (const EnvironmentError& e) {
    EXPECT_STREQ(
        e.what(),
        "worker executable /nonexistent/coulomb-sim-worker is missing: No such file or directory");
  }
}

TEST(Evaluator, KeepsAtMostJobsProcessesBusy) {
  const FakeWorkers fakes;
  Evaluator evaluator(spec(), gpu(), options(fakes, 3));
  std::vector<Candidate> candidates;
  for (std::uint64_t id = 0; id < 20; ++id) {
    candidates.push_back(candidate(id, "sleep=10", "sleep=10"));
  }
  EXPECT_EQ(evaluate(evaluator, candidates).size(), 20U);
  EXPECT_EQ(evaluator.pool_statistics().most_busy, 3U);
}

} // namespace
} // namespace coulomb::search
