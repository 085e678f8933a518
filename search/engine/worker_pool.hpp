// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace coulomb::search {

enum class WorkerKind : std::uint8_t { simulate, compile };
inline constexpr std::size_t kWorkerKinds = 2;

/// One request to a worker, as the bytes of its frame.
struct Job {
  WorkerKind kind = WorkerKind::simulate;
  std::uint64_t order = 0; ///< of the jobs of one kind that wait, the lowest goes first
  std::string request;
  double deadline_s = 600.0; ///< from the moment a worker gets it; then the worker is killed
};

enum class JobEnd : std::uint8_t { answered, timed_out, crashed, cancelled };

struct JobResult {
  JobEnd end = JobEnd::cancelled;
  std::string answer;   ///< the worker's frame, if answered
  std::string detail;   ///< "simulation worker killed by signal 11 (SIGSEGV), on each of 2 tries"
  double seconds = 0.0; ///< that a worker was busy with it, all attempts together
};

struct WorkerPoolOptions {
  /// Executables by WorkerKind.
  std::array<std::string, kWorkerKinds> executables;
  /// Workers that are busy at any time, both kinds together; at least 1.
  std::uint32_t jobs = 1;
  /// A worker is replaced after so many jobs, so that what it leaks stays bounded; at least 1.
  std::uint32_t recycle_after = 256;
};

/// Runs jobs on worker processes. One thread (epoll) owns the processes and the deadlines; workers
/// are started when there is work for them. Waiting simulations go before waiting compilations, so
/// no result waits behind a compiler; compilations get the slots that simulations leave. A worker
/// that dies costs its job one retry, on a fresh worker; a second death ends the job as `crashed`.
/// A job past its deadline is not retried.
class WorkerPool {
public:
  /// Called once per job, on the pool's own thread: it must not block and not throw. Jobs may be
  /// submitted from it.
  using Callback = std::function<void(JobResult)>;

  /// Throws EnvironmentError if an executable is missing.
  explicit WorkerPool(WorkerPoolOptions options);
  /// Cancels what is left, kills the workers.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Callable from any thread.
  void submit(Job job, Callback callback);
  /// Every job submitted so far that has not ended ends as `cancelled`; busy workers are killed.
  /// Returns at once. Callable from any thread and from a signal handler.
  void cancel_all() noexcept;

  struct Statistics {
    std::array<std::uint64_t, kWorkerKinds> started{}; ///< processes
    std::uint64_t crashes = 0;
    std::uint64_t deadlines = 0;
    std::uint32_t most_busy = 0; ///< at the same time
    double busy_s = 0.0;         ///< worker seconds with a job, those that run now included
  };
  [[nodiscard]] Statistics statistics() const;

private:
  class Reactor;
  std::unique_ptr<Reactor> reactor_;
};

} // namespace coulomb::search
