// SPDX-License-Identifier: Apache-2.0
#include "search/cluster/search_view.hpp"

#include "base/error.hpp"
#include "search/cluster/island.hpp"
#include "search/store/search_merge.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fmt/ranges.h>
#include <map>

namespace coulomb::search {
namespace {

std::string utc_text(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm utc{};
  ::gmtime_r(&time, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

/// A lock is a sure sign on the machine that holds it only; from others a heartbeat is.
std::string state_now(const IslandView& island, std::int64_t now_s) {
  if (!island.stopped_by.empty()) {
    return "stopped by " + island.stopped_by;
  }
  const bool locked = is_running(island.dir);
  const auto& heartbeat = island.heartbeat;
  if (!heartbeat || (!locked && (heartbeat->host == host_name() || !heartbeat->ended.empty()))) {
    return locked ? "running" : "killed";
  }
  return now_s - heartbeat->written_s > kSilentAfter
             ? "silent since " + utc_text(heartbeat->written_s)
             : "running";
}

IslandView view_island(const SearchPart& part, std::int64_t now_s) {
  const auto& evaluations = part.records.evaluations;
  IslandView island;
  island.dir = part.dir;
  island.header = part.records.header;
  island.heartbeat = read_heartbeat(part.dir);
  island.evaluations = evaluations.size();
  island.ok = static_cast<std::uint64_t>(
      std::count_if(evaluations.begin(), evaluations.end(),
                    [](const auto& e) { return e.status == eval::EvalStatus::ok; }));
  for (const MigrationRecord& migration : part.records.migrations) {
    for (const auto& arrival : migration.arrivals) {
      island.immigrants += arrival.evaluations.size();
    }
  }
  island.stopped_by = part.records.stopped_by;
  island.state = state_now(island, now_s);
  island.running = island.state == "running";
  return island;
}

std::string common_state(const std::vector<IslandView>& islands) {
  std::map<std::string, std::size_t> counts;
  for (const IslandView& island : islands) {
    ++counts[island.state];
  }
  std::vector<std::string> texts;
  for (const auto& [state, count] : counts) {
    texts.push_back(fmt::format("{} {}", count, state));
  }
  return fmt::format("{} island{}: {}", islands.size(), islands.size() == 1 ? "" : "s",
                     fmt::join(texts, ", "));
}

/// What the islands found, and what of them adds up.
SearchRecords united(const std::vector<SearchPart>& parts) {
  MergeCounts ignored;
  SearchRecords all = merge_parts(parts, ignored);
  all.header.island.reset();
  all.header.budget = 0;
  bool complete = parts.size() == all.header.islands;
  for (const SearchPart& part : parts) {
    all.header.budget += part.records.header.budget;
    all.sessions += part.records.sessions;
    all.last_jobs += part.records.last_jobs;
    complete = complete && ends_search(part.records.stopped_by);
    if (!part.records.damage.empty()) {
      all.damage += (all.damage.empty() ? "" : "; ") + part.records.damage;
    }
  }
  all.stopped_by = complete ? "budget" : "";
  return all;
}

} // namespace

bool ends_search(const std::string& stopped_by) {
  return stopped_by == "budget" || stopped_by == "exhausted" || stopped_by == "merge";
}

bool IslandView::complete() const {
  return ends_search(stopped_by);
}

std::optional<double> IslandView::seconds_left() const {
  if (!running || !heartbeat || heartbeat->per_hour() <= 0.0 || evaluations >= header.budget) {
    return std::nullopt;
  }
  return static_cast<double>(header.budget - evaluations) * 3600.0 / heartbeat->per_hour();
}

SearchView view_search(const std::string& dir, std::int64_t now_s) {
  const auto indices = islands_in(dir);
  std::vector<SearchPart> parts;
  for (const std::uint64_t index : indices) {
    parts.push_back({island_dir(dir, index), load_search(island_dir(dir, index))});
  }
  const bool alone = parts.empty();
  if (alone) {
    parts.push_back({dir, load_search(dir)});
  }
  SearchView view;
  for (const SearchPart& part : parts) {
    view.islands.push_back(view_island(part, now_s));
    view.running = view.running || view.islands.back().running;
  }
  view.state = alone ? view.islands.front().state : common_state(view.islands);
  view.records = alone ? std::move(parts.front().records) : united(parts);
  return view;
}

SearchView view_search(const std::string& dir) {
  return view_search(dir, std::chrono::duration_cast<std::chrono::seconds>(
                              std::chrono::system_clock::now().time_since_epoch())
                              .count());
}

} // namespace coulomb::search
