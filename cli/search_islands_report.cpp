// SPDX-License-Identifier: Apache-2.0
#include "cli/search_islands_report.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coulomb::cli {
namespace {

using search::Heartbeat;
using search::IslandView;
using Json = nlohmann::ordered_json;

constexpr const char* kUnknown = "-";

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", 100.0 * *share) : kUnknown;
}

std::string milliseconds(const std::optional<double>& ms) {
  return ms ? fmt::format("{:.4g} ms", *ms) : kUnknown;
}

std::string time_left(const std::optional<double>& seconds) {
  return !seconds            ? kUnknown
         : *seconds < 7200.0 ? fmt::format("{:.0f} min", std::ceil(*seconds / 60.0))
                             : fmt::format("{:.1f} h", *seconds / 3600.0);
}

std::optional<double> ok_share(const IslandView& island) {
  return island.evaluations == 0 ? std::nullopt
                                 : std::optional(static_cast<double>(island.ok) /
                                                 static_cast<double>(island.evaluations));
}

/// Times of the first configuration over that of the best.
std::optional<double> gain(const Heartbeat& heartbeat) {
  return heartbeat.first_ms && heartbeat.best_ms
             ? std::optional(*heartbeat.first_ms / *heartbeat.best_ms)
             : std::nullopt;
}

std::string line(const IslandView& island) {
  const Heartbeat h = island.heartbeat.value_or(Heartbeat{});
  const auto faster = gain(h);
  std::string text = fmt::format(
      "{:<10} {:>5} of {:<5} {:>8.0f} {:>8} {:>12} {:>7} {:>8} {:>9} {:>8} {:>9}  {}",
      island.header.island ? fmt::format("{} of {}", *island.header.island, island.header.islands)
                           : "session",
      island.evaluations, island.header.budget, h.per_hour(), percent(ok_share(island)),
      milliseconds(h.best_ms), faster ? fmt::format("{:.2f} x", *faster) : kUnknown,
      percent(h.utilisation()), fmt::format("{} MiB", h.memory_bytes >> 20),
      percent(h.cache_hit_rate()), time_left(island.seconds_left()), island.state);
  if (island.heartbeat && island.state != "stopped by " + island.stopped_by) {
    text += fmt::format(" ({} pid {})", h.host, h.pid);
  }
  return text + "\n";
}

} // namespace

std::string islands_text(const search::SearchView& view) {
  const bool watched = std::any_of(view.islands.begin(), view.islands.end(),
                                   [](const IslandView& i) { return i.heartbeat.has_value(); });
  if (!watched) {
    return {};
  }
  std::string text =
      fmt::format("{:<10} {:>14} {:>8} {:>8} {:>12} {:>7} {:>8} {:>9} {:>8} {:>9}  {}\n", "island",
                  "evaluations", "per hour", "ok", "best", "gain", "workers", "memory", "cache",
                  "left", "state");
  double per_hour = 0.0;
  std::optional<double> left;
  for (const IslandView& island : view.islands) {
    text += line(island);
    per_hour += island.running && island.heartbeat ? island.heartbeat->per_hour() : 0.0;
    if (const auto own = island.seconds_left()) {
      left = std::max(left.value_or(0.0), *own);
    }
  }
  if (view.islands.size() > 1) {
    text +=
        fmt::format("together   {:.0f} evaluations per hour, {} left\n", per_hour, time_left(left));
  }
  return text;
}

Json islands_json(const search::SearchView& view) {
  const auto number = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
  };
  Json all = Json::array();
  for (const IslandView& island : view.islands) {
    Json json = {{"island", island.header.island ? Json(*island.header.island) : Json(nullptr)},
                 {"dir", island.dir},
                 {"state", island.state},
                 {"running", island.running},
                 {"evaluations", island.evaluations},
                 {"budget", island.header.budget},
                 {"ok_share", number(ok_share(island))},
                 {"immigrants", island.immigrants}};
    if (island.heartbeat) {
      const Heartbeat& h = *island.heartbeat;
      json["host"] = h.host;
      json["pid"] = h.pid;
      json["written_s"] = h.written_s;
      json["evaluations_per_hour"] = h.per_hour();
      json["first_ms"] = number(h.first_ms);
      json["best_ms"] = number(h.best_ms);
      json["gain"] = number(gain(h));
      json["utilisation"] = number(h.utilisation());
      json["memory_bytes"] = h.memory_bytes;
      json["cache_hit_rate"] = number(h.cache_hit_rate());
      json["simulations_looked_up"] = h.predicted;
      json["seconds_left"] = number(island.seconds_left());
    }
    all.push_back(std::move(json));
  }
  return all;
}

} // namespace coulomb::cli
