// SPDX-License-Identifier: Apache-2.0
#include "search/cluster/prometheus.hpp"

#include <array>
#include <fmt/format.h>

namespace coulomb::search {
namespace {

struct Metric {
  std::string_view name;
  std::string_view type;
  std::string_view help;
  std::optional<double> (*value)(const Heartbeat&);
};

std::optional<double> seconds(const std::optional<double>& ms) {
  return ms ? std::optional(*ms * 1e-3) : std::nullopt;
}

constexpr std::string_view kEvaluations = "coulomb_search_evaluations_total";

constexpr std::array kMetrics = {
    Metric{"coulomb_search_budget", "gauge", "Evaluations that this search may spend.",
           [](const Heartbeat& h) { return std::optional<double>(h.budget); }},
    Metric{"coulomb_search_running", "gauge", "1 while the search runs, 0 once it has ended.",
           [](const Heartbeat& h) { return std::optional(h.ended.empty() ? 1.0 : 0.0); }},
    Metric{"coulomb_search_first_time_seconds", "gauge",
           "Time of the kernel in the first configuration, the baseline.",
           [](const Heartbeat& h) { return seconds(h.first_ms); }},
    Metric{"coulomb_search_best_time_seconds", "gauge",
           "Shortest time of the kernel that was found.",
           [](const Heartbeat& h) { return seconds(h.best_ms); }},
    Metric{"coulomb_search_session_seconds_total", "counter",
           "Wall seconds of the present session.",
           [](const Heartbeat& h) { return std::optional(h.session_s); }},
    Metric{"coulomb_search_session_evaluations_total", "counter",
           "Evaluations of the present session.",
           [](const Heartbeat& h) { return std::optional<double>(h.fresh); }},
    Metric{"coulomb_search_workers", "gauge", "Worker processes that may be busy at a time.",
           [](const Heartbeat& h) { return std::optional<double>(h.jobs); }},
    Metric{"coulomb_search_worker_busy_seconds_total", "counter",
           "Worker seconds spent on compiling and simulating in the present session.",
           [](const Heartbeat& h) { return h.busy_s; }},
    Metric{"coulomb_search_resident_memory_bytes", "gauge",
           "Resident memory of the search and its workers.",
           [](const Heartbeat& h) { return std::optional<double>(h.memory_bytes); }},
    Metric{"coulomb_search_kernels_requested_total", "counter",
           "Kernels that the present session asked a compiler or its cache for.",
           [](const Heartbeat& h) { return std::optional<double>(h.compiled); }},
    Metric{"coulomb_search_kernel_cache_hits_total", "counter",
           "Of those, kernels that were in the cache.",
           [](const Heartbeat& h) { return std::optional<double>(h.cache_hits); }},
    Metric{"coulomb_search_simulations_looked_up_total", "counter",
           "Simulations of the present session that were looked up and not run.",
           [](const Heartbeat& h) { return std::optional<double>(h.predicted); }},
    Metric{"coulomb_search_last_write_timestamp_seconds", "gauge",
           "When these figures were written, seconds since 1970.",
           [](const Heartbeat& h) { return std::optional<double>(h.written_s); }},
};

/// Label values escape backslash, quote and line feed.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '\n' ? "\\n" : c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  }
  return out;
}

std::string head(std::string_view name, std::string_view type, std::string_view help) {
  return fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

} // namespace

std::string prometheus_text(const SearchHeader& header, const Heartbeat& heartbeat) {
  const std::string labels =
      fmt::format(R"(spec="{}",gpu="{}",island="{}")", escaped(header.spec), escaped(header.gpu),
                  header.island ? fmt::to_string(*header.island) : std::string());
  std::string text = head(kEvaluations, "counter", "Evaluations by status, all sessions.");
  for (std::size_t i = 0; i < heartbeat.statuses.size(); ++i) {
    text += fmt::format("{}{{{},status=\"{}\"}} {}\n", kEvaluations, labels,
                        eval::to_string(static_cast<eval::EvalStatus>(i)), heartbeat.statuses[i]);
  }
  for (const Metric& metric : kMetrics) {
    if (const auto value = metric.value(heartbeat)) {
      text += head(metric.name, metric.type, metric.help);
      text += fmt::format("{}{{{}}} {}\n", metric.name, labels, *value);
    }
  }
  return text;
}

} // namespace coulomb::search
