// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/cluster/heartbeat.hpp"
#include "search/store/search_store.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::search {

/// One process of a search, as it looks from outside.
struct IslandView {
  std::string dir;
  SearchHeader header;
  std::optional<Heartbeat> heartbeat;
  std::uint64_t evaluations = 0;
  std::uint64_t ok = 0;
  std::uint64_t immigrants = 0; ///< evaluations of others that arrived
  std::string stopped_by;       ///< as in SearchRecords
  bool running = false;
  /// "running", "stopped by budget", "killed", "silent since 2026-01-31T12:34:56Z".
  std::string state;

  /// It has come to its end: nothing is left to resume.
  [[nodiscard]] bool complete() const;
  /// Seconds until its budget is spent, at this session's pace; nothing if there is none.
  [[nodiscard]] std::optional<double> seconds_left() const;
};

/// A search directory, or one that islands share, as it is now: reading disturbs nobody.
struct SearchView {
  SearchRecords records;           ///< of islands: all together, each configuration once
  std::vector<IslandView> islands; ///< one if the search is alone
  std::string state;               ///< of islands: "2 islands: 1 running, 1 stopped by budget"
  bool running = false;            ///< some are
};

/// Throws UserError if `dir` holds neither a search nor islands, or islands of different searches.
/// `now_s`: seconds since 1970, against which the age of heartbeats counts.
[[nodiscard]] SearchView view_search(const std::string& dir, std::int64_t now_s);
/// The same at the present time.
[[nodiscard]] SearchView view_search(const std::string& dir);

/// The journal's last word on whether a search has come to its end.
[[nodiscard]] bool ends_search(const std::string& stopped_by);

} // namespace coulomb::search
