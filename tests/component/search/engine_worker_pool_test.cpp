// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "engine_fake_worker.hpp"
#include "search/engine/worker_pool.hpp"

#include <chrono>
#include <csignal>
#include <fstream>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace coulomb::search {
namespace {

using testing::FakeWorkers;
using ::testing::StartsWith;

WorkerPoolOptions options(const FakeWorkers& fakes, std::uint32_t jobs = 1) {
  WorkerPoolOptions o;
  o.executables = {fakes.sim(), fakes.compile()};
  o.jobs = jobs;
  return o;
}

std::future<JobResult> submit(WorkerPool& pool, Job job) {
  const auto promise = std::make_shared<std::promise<JobResult>>();
  auto future = promise->get_future();
  pool.submit(std::move(job), [promise](JobResult r) { promise->set_value(std::move(r)); });
  return future;
}

Job job(const std::string& request, double deadline_s = 20.0) {
  return {WorkerKind::simulate, 0, request, deadline_s};
}

TEST(WorkerPool, AnswersAndReusesTheWorker) {
  const FakeWorkers fakes;
  WorkerPool pool(options(fakes));
  const JobResult first = submit(pool, job("a")).get();
  const JobResult second = submit(pool, job("a")).get();
  EXPECT_EQ(first.end, JobEnd::answered);
  EXPECT_THAT(first.answer, StartsWith("a by "));
  EXPECT_EQ(first.answer, second.answer); // same process
  EXPECT_EQ(pool.statistics().started[0], 1U);
  EXPECT_EQ(pool.statistics().started[1], 0U);
}

TEST(WorkerPool, ReplacesAWorkerAfterItsNumberOfJobs) {
  const FakeWorkers fakes;
  auto o = options(fakes);
  o.recycle_after = 2;
  WorkerPool pool(o);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(submit(pool, job("a")).get().end, JobEnd::answered);
  }
  EXPECT_EQ(pool.statistics().started[0], 3U);
}

TEST(WorkerPool, RetriesAfterACrashOnAFreshWorker) {
  const FakeWorkers fakes;
  WorkerPool pool(options(fakes));
  const std::string before = submit(pool, job("a")).get().answer;
  const JobResult r = submit(pool, job("crash_once=" + fakes.dir() + "/crashed")).get();
  EXPECT_EQ(r.end, JobEnd::answered);
  EXPECT_EQ(pool.statistics().crashes, 1U);
  EXPECT_EQ(pool.statistics().started[0], 2U);
  EXPECT_NE(submit(pool, job("a")).get().answer, before);
}

TEST(WorkerPool, ReportsTheSecondCrashWithItsSignal) {
  const FakeWorkers fakes;
  WorkerPool pool(options(fakes));
  const JobResult r = submit(pool, job("crash")).get();
  EXPECT_EQ(r.end, JobEnd::crashed);
  EXPECT_EQ(r.detail, "simulation worker killed by signal 11 (SIGSEGV), on each of 2 tries");
  const JobResult e = submit(pool, {WorkerKind::compile, 0, "exit=5", 20.0}).get();
  EXPECT_EQ(e.detail, "compile worker exited with code 5, on each of 2 tries");
  EXPECT_EQ(pool.statistics().crashes, 4U);
  EXPECT_EQ(submit(pool, job("a")).get().end, JobEnd::answered);
}

TEST(WorkerPool, KillsAtTheDeadlineAndDoesNotRetry) {
  const FakeWorkers fakes;
  WorkerPool pool(options(fakes));
  const auto start = std::chrono::steady_clock::now();
  const JobResult r = submit(pool, job("hang", 0.2)).get();
  EXPECT_EQ(r.end, JobEnd::timed_out);
  EXPECT_GE(r.seconds, 0.2);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(pool.statistics().deadlines, 1U);
  EXPECT_EQ(pool.statistics().started[0], 1U);
  EXPECT_EQ(submit(pool, job("a")).get().end, JobEnd::answered);
}

TEST(WorkerPool, CancelEndsWaitingAndRunningJobs) {
  const FakeWorkers fakes;
  WorkerPool pool(options(fakes, 2));
  std::vector<std::future<JobResult>> results;
  for (int i = 0; i < 10; ++i) {
    results.push_back(submit(pool, job("hang")));
  }
  pool.cancel_all();
  for (auto& r : results) {
    EXPECT_EQ(r.get().end, JobEnd::cancelled);
  }
  EXPECT_EQ(submit(pool, job("a")).get().end, JobEnd::answered);
}

TEST(WorkerPool, CancelsWhatIsLeftWhenItGoes) {
  const FakeWorkers fakes;
  std::future<JobResult> left;
  {
    WorkerPool pool(options(fakes));
    left = submit(pool, job("hang"));
  }
  EXPECT_EQ(left.get().end, JobEnd::cancelled);
}

TEST(WorkerPool, KeepsAtMostJobsWorkersBusyOverBothKinds) {
  const FakeWorkers fakes;
  WorkerPool pool(options(fakes, 3));
  EXPECT_EQ(pool.statistics().busy_s, 0.0);
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::future<JobResult>> results;
  for (int i = 0; i < 12; ++i) {
    results.push_back(submit(
        pool, {i % 2 == 0 ? WorkerKind::simulate : WorkerKind::compile, 0, "sleep=20", 20.0}));
  }
  for (auto& r : results) {
    EXPECT_EQ(r.get().end, JobEnd::answered);
  }
  const auto statistics = pool.statistics();
  const double elapsed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(statistics.most_busy, 3U);
  EXPECT_GE(statistics.busy_s, 12 * 0.020);
  EXPECT_LE(statistics.busy_s, 3.0 * elapsed);
}

TEST(WorkerPool, TakesSimulationsFirstThenTheLowestOrder) {
  const FakeWorkers fakes;
  WorkerPool pool(options(fakes));
  std::mutex mutex;
  std::vector<std::string> ended;
  auto blocker = submit(pool, job("await=" + fakes.dir() + "/go"));
  std::vector<std::future<void>> done;
  const auto add = [&](WorkerKind kind, std::uint64_t order, const std::string& name) {
    const auto promise = std::make_shared<std::promise<void>>();
    done.push_back(promise->get_future());
    pool.submit({kind, order, name, 20.0}, [&, promise, name](const JobResult&) {
      const std::scoped_lock lock(mutex);
      ended.push_back(name);
      promise->set_value();
    });
  };
  add(WorkerKind::compile, 1, "compile1");
  add(WorkerKind::compile, 0, "compile0");
  add(WorkerKind::simulate, 9, "sim9");
  add(WorkerKind::simulate, 4, "sim4");
  std::ofstream(fakes.dir() + "/go").put('!');
  blocker.get();
  for (auto& d : done) {
    d.get();
  }
  EXPECT_THAT(ended, ::testing::ElementsAre("sim4", "sim9", "compile0", "compile1"));
}

TEST(WorkerPool, ASimulationThatFollowsACompilationIsNotKeptWaitingByTheNext) {
  const FakeWorkers fakes;
  WorkerPool pool(options(fakes));
  std::promise<JobResult> simulated;
  std::vector<std::future<JobResult>> compiled;
  pool.submit({WorkerKind::compile, 0, "first", 20.0}, [&](const JobResult&) {
    pool.submit(job("sim"), [&](JobResult r) { simulated.set_value(std::move(r)); });
  });
  compiled.push_back(submit(pool, {WorkerKind::compile, 1, "hang", 20.0}));
  EXPECT_EQ(simulated.get_future().get().end, JobEnd::answered);
}

TEST(WorkerPool, CarriesFramesLargerThanTheSocket) {
  const FakeWorkers fakes;
  WorkerPool pool(options(fakes));
  const JobResult r = submit(pool, job("large=5000000 " + std::string(3'000'000, 'y'))).get();
  EXPECT_EQ(r.end, JobEnd::answered);
  EXPECT_EQ(r.answer, std::string(5'000'000, 'x'));
}

TEST(WorkerPool, AnIdleWorkerThatDiesCostsNoJob) {
  const FakeWorkers fakes;
  WorkerPool pool(options(fakes));
  const std::string answer = submit(pool, job("a")).get().answer;
  ::kill(static_cast<pid_t>(std::stol(answer.substr(answer.rfind(' ')))), SIGKILL);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(submit(pool, job("a")).get().end, JobEnd::answered);
  EXPECT_EQ(pool.statistics().crashes, 0U);
}

TEST(WorkerPool, NamesAMissingWorker) {
  const FakeWorkers fakes;
  auto o = options(fakes);
  o.executables[1] = fakes.dir() + "/absent";
  try {
    const WorkerPool pool(o);
    FAIL();
  } catch (const EnvironmentError& e) {
    EXPECT_EQ(e.what(),
              "worker executable " + fakes.dir() + "/absent is missing: No such file or directory");
    EXPECT_EQ(e.hint(), "build all targets: the workers must lie beside the coulomb executable");
  }
}

TEST(WorkerPool, SurvivesManyRandomFaults) {
  const FakeWorkers fakes;
  WorkerPool pool(options(fakes, 4));
  std::vector<std::future<JobResult>> results;
  for (int i = 0; i < 120; ++i) {
    const char* request = i % 20 == 7 ? "crash" : i % 20 == 13 ? "hang" : "a";
    results.push_back(submit(pool, job(request, i % 20 == 13 ? 0.1 : 20.0)));
  }
  std::array<int, 4> ends{};
  for (auto& r : results) {
    ++ends[static_cast<std::size_t>(r.get().end)];
  }
  EXPECT_EQ(ends, (std::array<int, 4>{108, 6, 6, 0}));
}

} // namespace
} // namespace coulomb::search
