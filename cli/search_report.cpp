// SPDX-License-Identifier: Apache-2.0
#include "cli/search_report.hpp"

#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/json_output.hpp"
#include "cli/search_commands.hpp"
#include "cli/search_islands_report.hpp"
#include "cli/search_ladder_report.hpp"
#include "search/objective/ranking.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coulomb::cli {
namespace {

using eval::EvalStatus;
using Json = nlohmann::ordered_json;
using search::EvaluationRecord;
using search::Ranking;
using search::SearchRecords;
using search::SearchSummary;

Json params_json(const kernel::Configuration& configuration) {
  Json params = Json::object();
  for (const auto& [name, value] : configuration.entries()) {
    params[name] = kernel::to_json(value);
  }
  return params;
}

Json entry_json(const EvaluationRecord& e) {
  return {{"params", params_json(e.configuration)},
          {"time_ms", e.time_ms},
          {"cycles", e.cycles},
          {"id", e.id},
          {"origin", e.origin}};
}

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Most configurations of a front that are printed.
constexpr std::size_t kShownFront = 10;

std::string front_lines(const SearchRecords& records, const Ranking& ranking) {
  const auto front = ranking.front();
  if (front.empty()) {
    return "front      none: no configuration ran\n";
  }
  const auto volume = ranking.hypervolume();
  std::string text =
      fmt::format("front      {} configurations that no other beats in every objective{}\n",
                  front.size(), volume ? fmt::format("   hypervolume {:.3f}", *volume) : "");
  for (std::size_t i = 0; i < std::min(kShownFront, front.size()); ++i) {
    const auto& e = records.evaluations[front[i]];
    text += fmt::format("           {}   candidate {}   {}\n", ranking.text(front[i]), e.id,
                        e.configuration.key());
  }
  if (front.size() > kShownFront) {
    text += fmt::format("           ... and {} more: see coulomb search best --top\n",
                        front.size() - kShownFront);
  }
  return text;
}

/// The configurations that the simulator cannot tell from the best.
std::string tie_line(const SearchRecords& records, const Ranking& ranking, std::size_t best) {
  const auto ties = ranking.ties(best);
  if (ties.empty()) {
    return {};
  }
  return fmt::format("           {} more {} exactly as good, e.g. candidate {}: {}\n", ties.size(),
                     ties.size() == 1 ? "is" : "are", records.evaluations[ties.front()].id,
                     records.evaluations[ties.front()].configuration.key());
}

std::string best_lines(const SearchRecords& records,
                       const Ranking& ranking,
                       std::optional<std::size_t> position) {
  if (ranking.scorer().count() > 1) {
    return front_lines(records, ranking);
  }
  if (!position) {
    return "best       none: no configuration ran\n";
  }
  const auto& best = records.evaluations[*position];
  const std::string origin = best.origin.empty() ? "" : ", from " + best.origin;
  if (!ranking.scorer().by_time()) {
    return fmt::format("best       {}   {:.5g} ms   candidate {}{}\n           {}\n",
                       ranking.text(*position), best.time_ms, best.id, origin,
                       best.configuration.key()) +
           tie_line(records, ranking, *position);
  }
  std::string text =
      fmt::format("best       {:.5g} ms   candidate {}{}", best.time_ms, best.id, origin);
  const auto& first = records.evaluations.front();
  if (first.status == EvalStatus::ok && first.id != best.id) {
    text += fmt::format("   {:.2f} x as fast as the first ({:.5g} ms)",
                        first.time_ms / best.time_ms, first.time_ms);
  }
  return text + fmt::format("\n           {}\n", best.configuration.key()) +
         tie_line(records, ranking, *position);
}

/// The latest message of each status; the first one, too, if nothing ran: what went wrong first is
/// the likelier cause of the rest.
std::string status_lines(const SearchSummary& summary) {
  // The first line says it; a compiler's whole log does not belong here.
  const auto line = [](const std::string& message) {
    return message.substr(0, message.find('\n'));
  };
  std::string text;
  for (std::size_t i = 0; i < summary.statuses.size(); ++i) {
    const auto& status = summary.statuses[i];
    if (status.count == 0) {
      continue;
    }
    const std::string first = summary.ok() == 0 ? line(status.first_message) : std::string();
    const std::string last = line(status.last_message);
    text += fmt::format("           {:<16} {:>6}", eval::to_string(static_cast<EvalStatus>(i)),
                        with_thousands(status.count));
    text += first.empty() ? "" : "  first: " + first;
    text += last.empty() || last == first ? "" : "  last: " + last;
    text += '\n';
  }
  return text;
}

std::string next_line(const SearchRecords& records,
                      std::optional<std::size_t> best,
                      const SearchReportInput& input) {
  if (input.view != nullptr && input.view->running) {
    return fmt::format("next       {}\n", shell_line("search", {"status", input.dir}));
  }
  if (!is_complete(records)) {
    std::string text;
    for (const std::string& command : input.view != nullptr
                                          ? resume_commands(*input.view)
                                          : std::vector{resume_command(records)}) {
      text += fmt::format("resume     {}\n", command);
    }
    return text;
  }
  if (!best) {
    return "next       read the first messages above: every configuration failed\n";
  }
  return fmt::format("next       {}\n", run_command(records, records.evaluations[*best]));
}

std::optional<std::size_t> first_of(const std::vector<std::size_t>& positions) {
  return positions.empty() ? std::nullopt : std::optional(positions.front());
}

Json objectives_json(const Ranking& ranking, std::size_t position) {
  Json values = Json::object();
  const auto names = ranking.scorer().names();
  for (std::size_t m = 0; m < names.size(); ++m) {
    values[names[m]] = ranking.scorer().own_value(ranking.fitnesses()[position], m);
  }
  return values;
}

Json ranked_json(const SearchRecords& records,
                 const Ranking& ranking,
                 const std::vector<std::size_t>& positions) {
  Json all = Json::array();
  for (const std::size_t i : positions) {
    all.push_back(entry_json(records.evaluations[i]));
    if (!ranking.scorer().by_time()) {
      all.back()["objectives"] = objectives_json(ranking, i);
    }
  }
  return all;
}

/// How near the recorded optimum a search came; `curve` has a pair [runs, best ms] per improvement.
Json silicon_json(const SearchRecords& records, std::optional<double> optimum_ms) {
  Json curve = Json::array();
  const EvaluationRecord* best = nullptr;
  for (const auto& e : records.evaluations) {
    if (e.status == EvalStatus::ok && (best == nullptr || e.time_ms < best->time_ms)) {
      best = &e;
      curve.push_back({e.id + 1, e.time_ms});
    }
  }
  Json json = {{"table", records.header.silicon}, {"runs", records.evaluations.size()}};
  json["best_ms"] = best != nullptr ? Json(best->time_ms) : Json(nullptr);
  json["best_params"] = best != nullptr ? params_json(best->configuration) : Json(nullptr);
  if (optimum_ms) {
    json["optimum_ms"] = *optimum_ms;
    json["regret"] = best != nullptr ? Json(best->time_ms / *optimum_ms - 1.0) : Json(nullptr);
  }
  json["curve"] = std::move(curve);
  return json;
}

} // namespace

std::string search_json(const SearchRecords& records, const SearchReportInput& input) {
  const SearchSummary summary = search::summarise(records.evaluations);
  const Ranking ranking(records);
  Json json;
  json["schema"] = kJsonSchema;
  json["version"] = records.header.version;
  json["spec"] = records.header.spec;
  json["gpu"] = records.header.gpu;
  json["budget"] = records.header.budget;
  json["jobs"] = records.last_jobs;
  json["seed"] = records.header.seed;
  json["out"] = input.dir;
  const auto best = ranked_json(records, ranking, ranking.best(1));
  json["best"] = best.empty() ? Json(nullptr) : best.front();
  json["ties"] = Json::array();
  if (const auto at = first_of(ranking.best(1)); at && ranking.scorer().count() == 1) {
    json["ties"] = ranked_json(records, ranking, ranking.ties(*at));
  }
  json["objectives"] = ranking.scorer().names();
  if (ranking.scorer().count() > 1) {
    json["front"] = ranked_json(records, ranking, ranking.front());
    const auto volume = ranking.hypervolume();
    json["hypervolume"] = volume ? Json(*volume) : Json(nullptr);
  }
  json["evaluations"] = summary.evaluations;
  json["unique"] = summary.unique;
  json["simulations"] = summary.simulations;
  json["space_size"] = records.header.space_size;
  json["strategy"] = records.header.strategy;
  json["lookahead"] = records.header.lookahead;
  json["origins"] = summary.origins;
  json["stopped_by"] = records.stopped_by.empty() ? Json(nullptr) : Json(records.stopped_by);
  json["statuses"] = Json::object();
  json["messages"] = Json::object();
  json["first_messages"] = Json::object();
  for (std::size_t i = 0; i < summary.statuses.size(); ++i) {
    const std::string word(eval::to_string(static_cast<EvalStatus>(i)));
    json["statuses"][word] = summary.statuses[i].count;
    if (!summary.statuses[i].last_message.empty()) {
      json["messages"][word] = summary.statuses[i].last_message;
      json["first_messages"][word] = summary.statuses[i].first_message;
    }
  }
  json["wasted_share"] = summary.wasted_share();
  if (!records.header.silicon.empty()) {
    json["silicon"] = silicon_json(records, input.optimum_ms);
  }
  if (input.ladder != nullptr) {
    json["silicon"] = ladder_json(*input.ladder);
  }
  const auto& fidelity = records.header.fidelity;
  json["fidelity"] = {{"rung", fidelity.rung}, {"sms", fidelity.sms}};
  json["sessions"] = records.sessions;
  json["running"] = input.view != nullptr && input.view->running;
  if (input.view != nullptr) {
    json["islands"] = islands_json(*input.view);
  }
  json["host"] = {{"compile_s", summary.compile_s}, {"sim_s", summary.sim_s}};
  if (input.wall_s > 0.0) {
    json["host"]["wall_s"] = input.wall_s;
    json["host"]["evaluations_per_s"] = static_cast<double>(input.fresh) / input.wall_s;
  }
  return dump(json);
}

std::string search_text(const SearchRecords& records, const SearchReportInput& input) {
  const SearchSummary summary = search::summarise(records.evaluations);
  const Ranking ranking(records);
  const auto best = first_of(ranking.best(1));
  const auto& header = records.header;
  std::string text = fmt::format(
      "search     {} on {}   seed {}   {} of {} evaluations   {}\n", header.spec, header.gpu,
      header.seed, with_thousands(summary.evaluations), with_thousands(header.budget),
      input.view != nullptr ? input.view->state : "stopped by " + records.stopped_by);
  text += fmt::format("space      {} valid configurations\n", with_thousands(header.space_size));
  text += best_lines(records, ranking, best);
  text += input.ladder != nullptr ? ladder_text(*input.ladder) : std::string();
  if (!header.silicon.empty()) {
    text += fmt::format("silicon    recorded: {}", header.silicon);
    if (input.optimum_ms && best) {
      text += fmt::format("   {:.1f} % above its best, {:.5g} ms",
                          100.0 * (records.evaluations[*best].time_ms / *input.optimum_ms - 1.0),
                          *input.optimum_ms);
    }
    text += '\n';
  }
  text += fmt::format("statuses   {} different configurations, {} simulations, {:.1f} % of the "
                      "evaluations gave no time\n",
                      with_thousands(summary.unique), with_thousands(summary.simulations),
                      100.0 * summary.wasted_share());
  text += status_lines(summary);
  text += fmt::format("workers    {:.1f} s compiling, {:.1f} s simulating, {} jobs",
                      summary.compile_s, summary.sim_s, records.last_jobs);
  if (input.wall_s > 0.0 && input.fresh > 0) {
    text += fmt::format("   {:.3g} evaluations/s", static_cast<double>(input.fresh) / input.wall_s);
  }
  text += fmt::format("\nsaved      {}\n", input.dir);
  if (!records.damage.empty()) {
    text += fmt::format("damaged    {}\n", records.damage);
  }
  text += input.view != nullptr ? islands_text(*input.view) : std::string();
  return text + next_line(records, best, input);
}

std::string best_text(const SearchRecords& records, std::size_t top) {
  std::string text;
  const Ranking ranking(records);
  for (const std::size_t i : ranking.best(top)) {
    const auto& e = records.evaluations[i];
    text += fmt::format("{:>12.5g} ms  {}candidate {:>5}  {}\n", e.time_ms,
                        ranking.scorer().by_time() ? "" : ranking.text(i) + "  ", e.id,
                        e.configuration.key());
  }
  return text.empty() ? "no configuration ran yet\n" : text;
}

std::string best_json(const SearchRecords& records, std::size_t top) {
  Json json;
  json["schema"] = kJsonSchema;
  json["version"] = records.header.version;
  json["spec"] = records.header.spec;
  json["gpu"] = records.header.gpu;
  const Ranking ranking(records);
  json["best"] = ranked_json(records, ranking, ranking.best(top));
  return dump(json);
}

} // namespace coulomb::cli
