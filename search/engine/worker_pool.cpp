// SPDX-License-Identifier: Apache-2.0
#include "search/engine/worker_pool.hpp"

#include "base/error.hpp"
#include "base/worker_process.hpp"
#include "search/engine/busy_clock.hpp"
#include "search/engine/descriptor.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace coulomb::search {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int kMaxAttempts = 2;
/// Seconds of the longest deadline, a year: a clock cannot count to infinity.
constexpr double kLongest = 3.2e7;
/// After a compilation its slot is held this long for the simulation that usually follows from it,
/// before the next compilation, which can take a minute, gets the slot.
constexpr Seconds kSlotHold{0.001};
constexpr std::array<const char*, kWorkerKinds> kKindNames = {"simulation", "compile"};
constexpr std::uint64_t kWakeUp = ~std::uint64_t{0};

std::size_t index_of(WorkerKind kind) {
  return static_cast<std::size_t>(kind);
}

struct Task {
  Job job;
  WorkerPool::Callback callback;
  int attempts = 0;
  double seconds = 0.0;
};

struct Slot {
  WorkerKind kind = WorkerKind::simulate;
  std::unique_ptr<WorkerProcess> worker; ///< null: free slot
  bool busy = false;
  std::uint32_t jobs_done = 0;
  Task task;
  Clock::time_point since;
  Clock::time_point deadline;
};

} // namespace

class WorkerPool::Reactor {
public:
  explicit Reactor(WorkerPoolOptions options)
      : options_(std::move(options)), epoll_(::epoll_create1(EPOLL_CLOEXEC), "an epoll set"),
        wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "an event descriptor") {
    watch(EPOLL_CTL_ADD, wake_.get(), EPOLLIN, kWakeUp);
    thread_ = std::thread([this] { run(); });
  }

  ~Reactor() {
    stop_ = true;
    wake_up();
    thread_.join();
  }

  void submit(Task task) {
    {
      const std::scoped_lock lock(mutex_);
      incoming_.push_back(std::move(task));
    }
    wake_up();
  }

  void cancel_all() noexcept {
    cancel_ = true;
    wake_up();
  }

  [[nodiscard]] Statistics statistics() const {
    const std::scoped_lock lock(mutex_);
    Statistics now = statistics_;
    now.busy_s = busy_clock_.seconds();
    return now;
  }

private:
  /// Only atomics and write(): a signal handler may call this.
  void wake_up() noexcept {
    const std::uint64_t one = 1;
    const int saved = errno;
    // It fails only when the counter is full, and then the thread is awake anyway.
    [[maybe_unused]] const ssize_t n = ::write(wake_.get(), &one, sizeof one);
    errno = saved;
  }

  void watch(int operation, int fd, std::uint32_t events, std::uint64_t tag) {
    epoll_event event{};
    event.events = events;
    event.data.u64 = tag;
    ::epoll_ctl(epoll_.get(), operation, fd, &event);
  }

  void run() {
    std::array<epoll_event, 64> events;
    while (!stop_) {
      const int n = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()),
                                 milliseconds_to_wait());
      for (int i = 0; i < n; ++i) {
        if (events[i].data.u64 == kWakeUp) {
          std::uint64_t count = 0;
          [[maybe_unused]] const ssize_t got = ::read(wake_.get(), &count, sizeof count);
        } else {
          on_event(slots_[events[i].data.u64]);
        }
      }
      accept_jobs();
      if (cancel_.exchange(false)) {
        cancel_jobs();
      }
      expire();
      dispatch();
    }
    accept_jobs();
    cancel_jobs();
    slots_.clear();
  }

  /// -1: nothing is due.
  [[nodiscard]] int milliseconds_to_wait() const {
    auto next = Clock::time_point::max();
    for (const auto& slot : slots_) {
      if (slot.busy) {
        next = std::min(next, slot.deadline);
      }
    }
    if (held_ > 0) {
      next = std::min(next, held_until_);
    }
    if (next == Clock::time_point::max()) {
      return -1;
    }
    const double left = std::chrono::duration<double, std::milli>(next - Clock::now()).count();
    return static_cast<int>(std::clamp(std::ceil(left), 0.0, 3.6e6));
  }

  void accept_jobs() {
    std::vector<Task> tasks;
    {
      const std::scoped_lock lock(mutex_);
      tasks.swap(incoming_);
    }
    for (auto& t : tasks) {
      enqueue(std::move(t));
    }
  }

  void enqueue(Task task) {
    const auto key = std::pair(task.job.order, sequence_++);
    waiting_[index_of(task.job.kind)].emplace(key, std::move(task));
  }

  void on_event(Slot& slot) {
    if (!slot.worker) {
      return; // ended earlier in this batch of events
    }
    if (slot.worker->sending()) {
      slot.worker->continue_sending();
      if (!slot.worker->sending()) {
        watch(EPOLL_CTL_MOD, slot.worker->fd(), EPOLLIN, tag_of(slot));
      }
    }
    switch (slot.worker->receive()) {
    case WorkerProcess::Progress::nothing:
      return;
    case WorkerProcess::Progress::answer:
      on_answer(slot);
      return;
    case WorkerProcess::Progress::ended:
      on_death(slot);
      return;
    }
  }

  void on_answer(Slot& slot) {
    if (!slot.busy) {
      retire(slot); // it speaks unasked
      return;
    }
    std::string answer = slot.worker->take_answer();
    Task task = take_task(slot);
    if (slot.kind == WorkerKind::compile) {
      ++held_;
      held_until_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(kSlotHold);
    }
    if (++slot.jobs_done >= options_.recycle_after) {
      retire(slot);
    }
    finish(task, JobEnd::answered, std::move(answer), {});
  }

  void on_death(Slot& slot) {
    if (!slot.busy) {
      retire(slot); // costs no candidate; the next job starts another
      return;
    }
    const std::string how = slot.worker->death_text();
    Task task = take_task(slot);
    retire(slot);
    count([](Statistics& s) { ++s.crashes; });
    if (++task.attempts < kMaxAttempts) {
      enqueue(std::move(task));
    } else {
      finish(task, JobEnd::crashed, {},
             fmt::format("{} worker {}, on each of {} tries", kKindNames[index_of(slot.kind)], how,
                         kMaxAttempts));
    }
  }

  void expire() {
    const auto now = Clock::now();
    for (auto& slot : slots_) {
      if (slot.busy && slot.deadline <= now) {
        Task task = take_task(slot);
        retire(slot);
        count([](Statistics& s) { ++s.deadlines; });
        finish(task, JobEnd::timed_out, {}, {});
      }
    }
  }

  void cancel_jobs() {
    for (auto& queue : waiting_) {
      auto tasks = std::exchange(queue, {});
      for (auto& [key, task] : tasks) {
        finish(task, JobEnd::cancelled, {}, {});
      }
    }
    for (auto& slot : slots_) {
      if (slot.busy) {
        Task task = take_task(slot);
        retire(slot);
        finish(task, JobEnd::cancelled, {}, {});
      }
    }
  }

  void dispatch() {
    start_waiting(WorkerKind::simulate, options_.jobs);
    if (Clock::now() >= held_until_) {
      held_ = 0;
    }
    start_waiting(WorkerKind::compile, options_.jobs - std::min(options_.jobs, held_));
  }

  void start_waiting(WorkerKind kind, std::uint32_t limit) {
    auto& queue = waiting_[index_of(kind)];
    while (busy_ < limit && !queue.empty()) {
      Task task = std::move(queue.begin()->second);
      queue.erase(queue.begin());
      if (kind == WorkerKind::simulate && held_ > 0) {
        --held_;
      }
      start(std::move(task));
    }
  }

  void start(Task task) {
    const WorkerKind kind = task.job.kind;
    auto idle = std::ranges::find_if(
        slots_, [&](const Slot& s) { return s.worker && !s.busy && s.kind == kind; });
    if (idle != slots_.end() && task.attempts > 0 && idle->jobs_done > 0) {
      retire(*idle); // a second try must not depend on what ran before it
      idle = slots_.end();
    }
    if (idle == slots_.end()) {
      idle = std::ranges::find_if(slots_, [](const Slot& s) { return !s.worker; });
      if (idle == slots_.end()) {
        idle = slots_.insert(slots_.end(), Slot{});
      }
      try {
        idle->worker = std::make_unique<WorkerProcess>(options_.executables[index_of(kind)]);
      } catch (const Error& e) {
        finish(task, JobEnd::crashed, {}, fmt::format("{}; {}", e.what(), e.hint()));
        return;
      }
      idle->kind = kind;
      idle->jobs_done = 0;
      watch(EPOLL_CTL_ADD, idle->worker->fd(), EPOLLIN, tag_of(*idle));
      count([&](Statistics& s) { ++s.started[index_of(kind)]; });
    }
    give(*idle, std::move(task));
  }

  void give(Slot& slot, Task task) {
    slot.busy = true;
    slot.task = std::move(task);
    slot.since = Clock::now();
    const double seconds = std::min(slot.task.job.deadline_s, kLongest);
    slot.deadline = slot.since + std::chrono::duration_cast<Clock::duration>(Seconds(seconds));
    set_busy(busy_ + 1);
    slot.worker->send(slot.task.job.request);
    if (slot.worker->sending()) {
      watch(EPOLL_CTL_MOD, slot.worker->fd(), EPOLLIN | EPOLLOUT, tag_of(slot));
    }
  }

  [[nodiscard]] Task take_task(Slot& slot) {
    slot.busy = false;
    set_busy(busy_ - 1);
    slot.task.seconds += Seconds(Clock::now() - slot.since).count();
    return std::move(slot.task);
  }

  void retire(Slot& slot) {
    watch(EPOLL_CTL_DEL, slot.worker->fd(), 0, 0);
    slot.worker.reset();
  }

  [[nodiscard]] std::uint64_t tag_of(const Slot& slot) const {
    return static_cast<std::uint64_t>(&slot - slots_.data());
  }

  static void finish(Task& task, JobEnd end, std::string answer, std::string detail) {
    task.callback({end, std::move(answer), std::move(detail), task.seconds});
  }

  void set_busy(std::uint32_t busy) {
    const std::scoped_lock lock(mutex_);
    busy_ = busy;
    busy_clock_.set(busy);
    statistics_.most_busy = std::max(statistics_.most_busy, busy);
  }

  template <typename Change>
  void count(Change change) {
    const std::scoped_lock lock(mutex_);
    change(statistics_);
  }

  WorkerPoolOptions options_;
  Descriptor epoll_;
  Descriptor wake_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> cancel_{false};
  static_assert(std::atomic<bool>::is_always_lock_free, "cancel_all() runs in signal handlers");

  mutable std::mutex mutex_; ///< of the next three
  std::vector<Task> incoming_;
  Statistics statistics_; ///< without busy_s
  BusyClock busy_clock_;
  // The rest belongs to the thread.
  std::vector<Slot> slots_;
  std::array<std::map<std::pair<std::uint64_t, std::uint64_t>, Task>, kWorkerKinds> waiting_;
  std::uint64_t sequence_ = 0;
  std::uint32_t busy_ = 0;
  std::uint32_t held_ = 0; ///< slots kept free for simulations
  Clock::time_point held_until_;
  std::thread thread_;
};

WorkerPool::WorkerPool(WorkerPoolOptions options) {
  for (const auto& executable : options.executables) {
    if (::access(executable.c_str(), X_OK) != 0) {
      throw EnvironmentError(
          fmt::format("worker executable {} is missing: {}", executable, std::strerror(errno)),
          "build all targets: the workers must lie beside the coulomb executable");
    }
  }
  options.jobs = std::max(options.jobs, 1U);
  options.recycle_after = std::max(options.recycle_after, 1U);
  reactor_ = std::make_unique<Reactor>(std::move(options));
}

WorkerPool::~WorkerPool() = default;

void WorkerPool::submit(Job job, Callback callback) {
  reactor_->submit({std::move(job), std::move(callback)});
}

void WorkerPool::cancel_all() noexcept {
  reactor_->cancel_all();
}

WorkerPool::Statistics WorkerPool::statistics() const {
  return reactor_->statistics();
}

} // namespace coulomb::search
