// SPDX-License-Identifier: Apache-2.0
#include "calibration/fit/fit_report.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace coulomb::calibration {
namespace {

using Json = nlohmann::ordered_json;

std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f} %", 100.0 * *value) : "-";
}

std::string figure(const std::optional<double>& value) {
  return value ? fmt::format("{:.4f}", *value) : "-";
}

std::string arrow(const std::string& before, const std::string& after) {
  return fmt::format("{} -> {}", before, after);
}

std::string table_text(const FitReport& report, FitRole role) {
  std::string out;
  for (const FitRow& r : report.rows) {
    if (r.role == role) {
      out += fmt::format("  {:<18} {:<16} {:>5}  {:>20}  {:>20}  {:>18}  {}\n", r.board, r.kernel,
                         r.n, arrow(percent(r.before.mape), percent(r.after.mape)),
                         arrow(percent(r.before.median), percent(r.after.median)),
                         arrow(figure(r.before.spearman), figure(r.after.spearman)), r.table);
    }
  }
  return out.empty() ? out
                     : fmt::format("\n{}\n  {:<18} {:<16} {:>5}  {:>20}  {:>20}  {:>18}  {}\n{}",
                                   to_string(role), "board", "kernel", "n", "MAPE", "median error",
                                   "Spearman", "table", out);
}

Json json_of(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_of(const FitErrors& e) {
  return {{"mean_squared_log", json_of(e.mean_squared_log)},
          {"mape", json_of(e.mape)},
          {"median", json_of(e.median)},
          {"spearman", json_of(e.spearman)}};
}

} // namespace

std::string to_text(const FitReport& report) {
  std::string out;
  for (const FittedParameter& p : report.parameters) {
    const auto& q = p.parameter;
    out += fmt::format("{:<36} {}   looked for in {} to {}; effect on the times {:.1f} %, of the "
                       "smallest step {:.2f} %\n",
                       q.key, arrow(q.text(q.start), q.text(p.value)), q.text(q.low),
                       q.text(q.high), 100.0 * p.effect, 100.0 * p.unevenness);
    if (p.alike_from < p.alike_to) {
      out += fmt::format("{:<36} tried values that the data do not decide between: {} to {}\n", "",
                         q.text(p.alike_from), q.text(p.alike_to));
    }
    if (p.at_end()) {
      out += fmt::format("{:<36} at the end of its range: a better value may lie beyond, or "
                         "another cause be at work\n",
                         "");
    }
  }
  out += fmt::format("mean squared log error               {:.6f} -> {:.6f}\n",
                     report.objective_before, report.objective_after);
  out +=
      fmt::format("simulations                          {}{}\n", with_thousands(report.simulations),
                  report.budget_reached ? "; the search ended because of their limit" : "");
  if (report.untimed > 0) {
    out += fmt::format("left out                             {} configurations that the simulator "
                       "could not time\n",
                       report.untimed);
  }
  for (const FitRole role : kFitRoles) {
    out += table_text(report, role);
  }
  if (report.held_out_worse()) {
    out += fmt::format("\nheld-out configurations got worse (mean squared log error {:.6f} -> "
                       "{:.6f}): the fit does not carry over to them\n",
                       *report.error_before(FitRole::held_out_configurations),
                       *report.error_after(FitRole::held_out_configurations));
  }
  return out;
}

Json to_json(const FitReport& report) {
  Json out;
  out["parameters"] = Json::array();
  for (const FittedParameter& p : report.parameters) {
    out["parameters"].push_back({{"key", p.parameter.key},
                                 {"before", p.parameter.start},
                                 {"after", p.value},
                                 {"low", p.parameter.low},
                                 {"high", p.parameter.high},
                                 {"effect", p.effect},
                                 {"unevenness", p.unevenness},
                                 {"alike_from", p.alike_from},
                                 {"alike_to", p.alike_to},
                                 {"at_end", p.at_end()}});
  }
  out["mean_squared_log"] = {{"before", report.objective_before},
                             {"after", report.objective_after}};
  out["simulations"] = report.simulations;
  out["budget_reached"] = report.budget_reached;
  out["untimed"] = report.untimed;
  out["held_out_worse"] = report.held_out_worse();
  for (const FitRole role : kFitRoles) {
    std::string name(to_string(role));
    std::replace(name.begin(), name.end(), ' ', '_');
    out[name] = Json::array();
    for (const FitRow& r : report.rows) {
      if (r.role == role) {
        out[name].push_back({{"board", r.board},
                             {"kernel", r.kernel},
                             {"table", r.table},
                             {"n", r.n},
                             {"before", json_of(r.before)},
                             {"after", json_of(r.after)}});
      }
    }
  }
  return out;
}

config::Provenance provenance_of(const FitReport& report,
                                 const std::vector<std::string>& tables,
                                 const std::string& date) {
  std::vector<std::string> errors;
  std::size_t n = 0;
  for (const FitRow& r : report.rows) {
    n += r.role == FitRole::fitted ? r.n : 0;
    // Names of held-out tables are left out: `coulomb validate` takes one that is named here for
    // one that was fitted to.
    errors.push_back(fmt::format("{}, {} on {}, n = {}: MAPE {}", to_string(r.role), r.kernel,
                                 r.board, r.n,
                                 arrow(percent(r.before.mape), percent(r.after.mape))));
  }
  return {.kind = "fit",
          .source = fmt::format("coulomb calibrate fit to {} ({} configurations)",
                                fmt::join(tables, ", "), n),
          .confidence = "low",
          .date = date,
          .note = fmt::format("{}", fmt::join(errors, "; "))};
}

} // namespace coulomb::calibration
