// SPDX-License-Identifier: Apache-2.0
#include "search/cluster/heartbeat.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unistd.h>

namespace coulomb::search {
namespace {

using Json = nlohmann::json;

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

std::optional<double> optional_number(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

} // namespace

std::uint64_t Heartbeat::evaluations() const {
  return std::accumulate(statuses.begin(), statuses.end(), std::uint64_t{0});
}

double Heartbeat::per_hour() const {
  return session_s > 0.0 ? 3600.0 * static_cast<double>(fresh) / session_s : 0.0;
}

std::optional<double> Heartbeat::utilisation() const {
  return busy_s && session_s > 0.0 && jobs > 0 ? std::optional(*busy_s / (session_s * jobs))
                                               : std::nullopt;
}

std::optional<double> Heartbeat::cache_hit_rate() const {
  return compiled > 0
             ? std::optional(static_cast<double>(cache_hits) / static_cast<double>(compiled))
             : std::nullopt;
}

Json to_json(const Heartbeat& h) {
  return {{"host", h.host},
          {"pid", h.pid},
          {"started", h.started},
          {"written_s", h.written_s},
          {"ended", h.ended},
          {"jobs", h.jobs},
          {"budget", h.budget},
          {"fresh", h.fresh},
          {"statuses", h.statuses},
          {"first_ms", number_or_null(h.first_ms)},
          {"best_ms", number_or_null(h.best_ms)},
          {"session_s", h.session_s},
          {"busy_s", number_or_null(h.busy_s)},
          {"memory_bytes", h.memory_bytes},
          {"compiled", h.compiled},
          {"cache_hits", h.cache_hits},
          {"predicted", h.predicted}};
}

std::optional<Heartbeat> read_heartbeat(const std::string& dir) {
  try {
    const Json json = Json::parse(read_file(heartbeat_path(dir)));
    Heartbeat h;
    json.at("host").get_to(h.host);
    json.at("pid").get_to(h.pid);
    json.at("started").get_to(h.started);
    json.at("written_s").get_to(h.written_s);
    json.at("ended").get_to(h.ended);
    json.at("jobs").get_to(h.jobs);
    json.at("budget").get_to(h.budget);
    json.at("fresh").get_to(h.fresh);
    json.at("statuses").get_to(h.statuses);
    h.first_ms = optional_number(json.at("first_ms"));
    h.best_ms = optional_number(json.at("best_ms"));
    json.at("session_s").get_to(h.session_s);
    h.busy_s = optional_number(json.at("busy_s"));
    json.at("memory_bytes").get_to(h.memory_bytes);
    json.at("compiled").get_to(h.compiled);
    json.at("cache_hits").get_to(h.cache_hits);
    json.at("predicted").get_to(h.predicted);
    return h;
  } catch (const UserError&) {
    return std::nullopt; // none, as in directories of older releases
  } catch (const Json::exception&) {
    return std::nullopt; // of another release
  }
}

void write_heartbeat(const std::string& dir, const Heartbeat& heartbeat) {
  write_file_atomically(heartbeat_path(dir), to_json(heartbeat).dump() + "\n");
}

std::string heartbeat_path(const std::string& dir) {
  return (std::filesystem::path(dir) / "heartbeat.json").string();
}

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

} // namespace coulomb::search
