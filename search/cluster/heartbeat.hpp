// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/status.hpp"

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace coulomb::search {

/// Seconds between two heartbeats.
inline constexpr int kHeartbeatInterval = 5;
/// Age in seconds from which a heartbeat says that nothing is known of its writer.
inline constexpr int kSilentAfter = 60;

/// What a running search says of itself, in a small file beside its journal that is replaced by
/// rename: for those who watch from another machine.
struct Heartbeat {
  std::string host;
  std::int64_t pid = 0;
  std::string started;        ///< this session, UTC as utc_now() writes it
  std::int64_t written_s = 0; ///< seconds since 1970 by the writer's clock
  std::string ended;          ///< "budget", "exhausted", "signal"; empty: it runs
  std::uint32_t jobs = 0;     ///< worker processes that may be busy
  std::uint64_t budget = 0;
  std::uint64_t fresh = 0;                                      ///< evaluations of this session
  std::array<std::uint64_t, eval::kEvalStatusCount> statuses{}; ///< evaluations, all sessions
  std::optional<double> first_ms;                               ///< of evaluation 0, if it ran
  std::optional<double> best_ms;                                ///< shortest time
  double session_s = 0.0;                                       ///< since it started
  std::optional<double> busy_s;   ///< worker seconds with a job; nothing: there are no workers
  std::uint64_t memory_bytes = 0; ///< resident, of the search and its workers
  std::uint64_t compiled = 0;     ///< kernels that were asked for in this session
  std::uint64_t cache_hits = 0;   ///< of those, found in the kernel cache
  std::uint64_t predicted = 0;    ///< simulations of this session that were looked up
  bool operator==(const Heartbeat&) const = default;

  [[nodiscard]] std::uint64_t evaluations() const;
  /// Evaluations per hour in this session; 0 before the first.
  [[nodiscard]] double per_hour() const;
  /// Share of the workers' time with a job, 0 to 1.
  [[nodiscard]] std::optional<double> utilisation() const;
  /// 0 to 1; nothing before the first kernel.
  [[nodiscard]] std::optional<double> cache_hit_rate() const;
};

[[nodiscard]] nlohmann::json to_json(const Heartbeat& heartbeat);
/// The heartbeat of the search in `dir`; nothing if there is none that can be read.
[[nodiscard]] std::optional<Heartbeat> read_heartbeat(const std::string& dir);
/// Throws EnvironmentError if it cannot be written.
void write_heartbeat(const std::string& dir, const Heartbeat& heartbeat);
[[nodiscard]] std::string heartbeat_path(const std::string& dir);
/// This machine's name, as heartbeats have it.
[[nodiscard]] std::string host_name();

} // namespace coulomb::search
