// SPDX-License-Identifier: Apache-2.0
#include "search/cluster/session_monitor.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "search/cluster/prometheus.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace coulomb::search {
namespace {

/// Parent and resident bytes of a process; nothing if it is gone.
struct Resident {
  pid_t parent = 0;
  std::uint64_t bytes = 0;
};

Resident resident_of(const std::string& pid) {
  Resident resident;
  std::ifstream status("/proc/" + pid + "/status");
  for (std::string word; status >> word;) {
    if (word == "PPid:") {
      status >> resident.parent;
    } else if (word == "VmRSS:") {
      status >> resident.bytes;
      resident.bytes *= 1024; // it is in KiB
    }
  }
  return resident;
}

} // namespace

std::uint64_t resident_memory() {
  const pid_t self = ::getpid();
  std::uint64_t bytes = resident_of("self").bytes;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", none)) {
    const std::string pid = entry.path().filename().string();
    if (pid.find_first_not_of("0123456789") == std::string::npos) {
      const Resident resident = resident_of(pid);
      bytes += resident.parent == self ? resident.bytes : 0;
    }
  }
  return bytes;
}

SessionMonitor::SessionMonitor(std::string dir,
                               SearchHeader header,
                               std::uint32_t jobs,
                               std::string metrics,
                               MonitoredFigures figures)
    : dir_(std::move(dir)), header_(std::move(header)), metrics_(std::move(metrics)),
      figures_(std::move(figures)) {
  heartbeat_.host = host_name();
  heartbeat_.pid = ::getpid();
  heartbeat_.started = utc_now();
  heartbeat_.jobs = jobs;
  heartbeat_.budget = header_.budget;
  thread_ = std::thread([this] { run(); });
}

SessionMonitor::~SessionMonitor() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  ended_.notify_all();
  thread_.join();
  write();
}

void SessionMonitor::count(const EvaluationRecord& record, bool fresh) {
  const std::lock_guard lock(mutex_);
  ++heartbeat_.statuses[static_cast<std::size_t>(record.status)];
  heartbeat_.fresh += fresh ? 1 : 0;
  if (record.status != eval::EvalStatus::ok) {
    return;
  }
  if (record.id == 0) {
    heartbeat_.first_ms = record.time_ms;
  }
  heartbeat_.best_ms = std::min(heartbeat_.best_ms.value_or(record.time_ms), record.time_ms);
}

void SessionMonitor::compiled(const Evaluation& evaluation) {
  const std::lock_guard lock(mutex_);
  const bool hit = evaluation.compile.cache_hit;
  heartbeat_.compiled += hit || evaluation.compile_s > 0.0 ? 1 : 0;
  heartbeat_.cache_hits += hit ? 1 : 0;
}

void SessionMonitor::finish(const std::string& ended) {
  const std::lock_guard lock(mutex_);
  heartbeat_.ended = ended;
}

std::string SessionMonitor::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

void SessionMonitor::run() {
  std::unique_lock lock(mutex_);
  while (!done_) {
    lock.unlock();
    write();
    lock.lock();
    ended_.wait_for(lock, std::chrono::seconds(kHeartbeatInterval), [this] { return done_; });
  }
}

void SessionMonitor::write() {
  const std::uint64_t memory = resident_memory();
  const auto busy = figures_.busy_s();
  const std::uint64_t predicted = figures_.predicted();
  Heartbeat now;
  {
    const std::lock_guard lock(mutex_);
    heartbeat_.memory_bytes = memory;
    heartbeat_.busy_s = busy;
    heartbeat_.predicted = predicted;
    heartbeat_.session_s =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    heartbeat_.written_s = std::chrono::duration_cast<std::chrono::seconds>(
                               std::chrono::system_clock::now().time_since_epoch())
                               .count();
    now = heartbeat_;
  }
  try {
    write_heartbeat(dir_, now);
    if (!metrics_.empty()) {
      write_file_atomically(metrics_, prometheus_text(header_, now));
    }
  } catch (const EnvironmentError& error) {
    const std::lock_guard lock(mutex_);
    problem_ = problem_.empty() ? error.what() : problem_;
  }
}

} // namespace coulomb::search
