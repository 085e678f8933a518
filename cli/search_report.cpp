// SPDX-License-Identifier: Apache-2.0
#include "cli/search_report.hpp"

#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/json_output.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coulomb::cli {
namespace {

using eval::EvalStatus;
using Json = nlohmann::ordered_json;
using search::EvaluationRecord;
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

/// The fidelity that a run needs to repeat the evaluations, as options.
std::vector<std::string> fidelity_options(const SearchRecords& records) {
  const auto& fidelity = records.header.fidelity;
  if (fidelity.rung == "chip") {
    return {"--chip"};
  }
  if (fidelity.sms != 1) {
    return {"--sms", fmt::to_string(fidelity.sms)};
  }
  return {};
}

std::string run_command(const SearchRecords& records, const EvaluationRecord& e) {
  std::vector<std::string> words = {records.header.spec_path, "--gpu", records.header.gpu_argument};
  for (const auto& change : records.header.gpu_overrides) {
    words.insert(words.end(), {"--set", change});
  }
  for (const auto& [name, value] : e.configuration.entries()) {
    words.insert(words.end(), {"--param", name + "=" + kernel::to_text(value)});
  }
  const auto fidelity = fidelity_options(records);
  words.insert(words.end(), fidelity.begin(), fidelity.end());
  return shell_line("run", words);
}

std::string best_lines(const SearchRecords& records, const SearchSummary& summary) {
  if (!summary.best) {
    return "best       none: no configuration ran\n";
  }
  const auto& best = records.evaluations[*summary.best];
  std::string text = fmt::format("best       {:.5g} ms   candidate {}{}", best.time_ms, best.id,
                                 best.origin.empty() ? "" : ", from " + best.origin);
  const auto& first = records.evaluations.front();
  if (first.status == EvalStatus::ok && first.id != best.id) {
    text += fmt::format("   {:.2f} x as fast as the first ({:.5g} ms)",
                        first.time_ms / best.time_ms, first.time_ms);
  }
  return text + fmt::format("\n           {}\n", best.configuration.key());
}

std::string status_lines(const SearchSummary& summary) {
  std::string text;
  for (std::size_t i = 0; i < summary.statuses.size(); ++i) {
    const auto& status = summary.statuses[i];
    if (status.count == 0) {
      continue;
    }
    // The first line says it; a compiler's whole log does not belong here.
    const std::string message = status.last_message.substr(0, status.last_message.find('\n'));
    text +=
        fmt::format("           {:<16} {:>6}{}{}\n", eval::to_string(static_cast<EvalStatus>(i)),
                    with_thousands(status.count), message.empty() ? "" : "  last: ", message);
  }
  return text;
}

std::string
next_line(const SearchRecords& records, const SearchSummary& summary, const std::string& dir) {
  const bool complete = records.stopped_by == "budget" || records.stopped_by == "exhausted";
  if (!complete && search::is_running(dir) && records.stopped_by.empty()) {
    return fmt::format("next       {}\n", shell_line("search", {"status", dir}));
  }
  if (!complete) {
    return fmt::format("resume     {}{}\n", records.header.command,
                       records.header.command.find("--resume") == std::string::npos ? " --resume"
                                                                                    : "");
  }
  if (!summary.best) {
    return "next       read the last messages above: every configuration failed\n";
  }
  return fmt::format("next       {}\n", run_command(records, records.evaluations[*summary.best]));
}

std::string state_of(const SearchRecords& records, const std::string& dir) {
  if (!records.stopped_by.empty()) {
    return "stopped by " + records.stopped_by;
  }
  return search::is_running(dir) ? "running" : "killed";
}

} // namespace

std::string search_json(const SearchRecords& records, const SearchReportInput& input) {
  const SearchSummary summary = search::summarise(records.evaluations);
  Json json;
  json["schema"] = kJsonSchema;
  json["version"] = records.header.version;
  json["spec"] = records.header.spec;
  json["gpu"] = records.header.gpu;
  json["budget"] = records.header.budget;
  json["jobs"] = records.last_jobs;
  json["seed"] = records.header.seed;
  json["out"] = input.dir;
  json["best"] = summary.best ? entry_json(records.evaluations[*summary.best]) : Json(nullptr);
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
  for (std::size_t i = 0; i < summary.statuses.size(); ++i) {
    const std::string word(eval::to_string(static_cast<EvalStatus>(i)));
    json["statuses"][word] = summary.statuses[i].count;
    if (!summary.statuses[i].last_message.empty()) {
      json["messages"][word] = summary.statuses[i].last_message;
    }
  }
  const auto& fidelity = records.header.fidelity;
  json["fidelity"] = {{"rung", fidelity.rung}, {"sms", fidelity.sms}};
  json["sessions"] = records.sessions;
  json["running"] = input.wall_s == 0.0 && search::is_running(input.dir);
  json["host"] = {{"compile_s", summary.compile_s}, {"sim_s", summary.sim_s}};
  if (input.wall_s > 0.0) {
    json["host"]["wall_s"] = input.wall_s;
    json["host"]["evaluations_per_s"] = static_cast<double>(input.fresh) / input.wall_s;
  }
  return dump(json);
}

std::string search_text(const SearchRecords& records, const SearchReportInput& input) {
  const SearchSummary summary = search::summarise(records.evaluations);
  const auto& header = records.header;
  std::string text =
      fmt::format("search     {} on {}   seed {}   {} of {} evaluations   {}\n", header.spec,
                  header.gpu, header.seed, with_thousands(summary.evaluations),
                  with_thousands(header.budget), state_of(records, input.dir));
  text += fmt::format("space      {} valid configurations\n", with_thousands(header.space_size));
  text += best_lines(records, summary);
  text += fmt::format("statuses   {} different configurations, {} simulations\n",
                      with_thousands(summary.unique), with_thousands(summary.simulations));
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
  return text + next_line(records, summary, input.dir);
}

std::string best_text(const SearchRecords& records, std::size_t top) {
  std::string text;
  for (const std::size_t i : search::fastest(records.evaluations, top)) {
    const auto& e = records.evaluations[i];
    text +=
        fmt::format("{:>12.5g} ms  candidate {:>5}  {}\n", e.time_ms, e.id, e.configuration.key());
  }
  return text.empty() ? "no configuration ran yet\n" : text;
}

std::string best_json(const SearchRecords& records, std::size_t top) {
  Json json;
  json["schema"] = kJsonSchema;
  json["version"] = records.header.version;
  json["spec"] = records.header.spec;
  json["gpu"] = records.header.gpu;
  json["best"] = Json::array();
  for (const std::size_t i : search::fastest(records.evaluations, top)) {
    json["best"].push_back(entry_json(records.evaluations[i]));
  }
  return dump(json);
}

} // namespace coulomb::cli
