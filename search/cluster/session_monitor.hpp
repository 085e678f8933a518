// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/cluster/heartbeat.hpp"
#include "search/engine/evaluator.hpp"
#include "search/store/evaluation_record.hpp"
#include "search/store/search_header.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace coulomb::search {

/// What a monitor asks while it writes: on its own thread, so it must be thread-safe.
struct MonitoredFigures {
  std::function<std::optional<double>()> busy_s = [] { return std::nullopt; };
  std::function<std::uint64_t()> predicted = [] { return std::uint64_t{0}; };
};

/// Writes the heartbeat of a session every kHeartbeatInterval seconds, and the same figures for
/// Prometheus, if a file is named. A thread of its own does it, so that a long simulation does not
/// look like silence. What cannot be written is only not written: see problem(). Make it after the
/// Interruption.
class SessionMonitor {
public:
  /// `metrics`: file for Prometheus; empty: none. What `figures` refer to must outlive this.
  SessionMonitor(std::string dir,
                 SearchHeader header,
                 std::uint32_t jobs,
                 std::string metrics,
                 MonitoredFigures figures);
  /// Writes once more, as if finish("") had been called if it was not.
  ~SessionMonitor();
  SessionMonitor(const SessionMonitor&) = delete;
  SessionMonitor& operator=(const SessionMonitor&) = delete;

  /// For Progress::listen().
  void count(const EvaluationRecord& record, bool fresh);
  /// To be told of each outcome of this session's evaluator.
  void compiled(const Evaluation& evaluation);
  /// The last words: how the session ended.
  void finish(const std::string& ended);
  /// Why the first file that could not be written was not; empty: all were.
  [[nodiscard]] std::string problem() const;

private:
  void run();
  void write();

  std::string dir_;
  SearchHeader header_;
  std::string metrics_;
  MonitoredFigures figures_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  mutable std::mutex mutex_; ///< of the next three
  Heartbeat heartbeat_;
  std::string problem_;
  bool done_ = false;
  std::condition_variable ended_;
  std::thread thread_;
};

/// Resident bytes of this process and its children.
[[nodiscard]] std::uint64_t resident_memory();

} // namespace coulomb::search
