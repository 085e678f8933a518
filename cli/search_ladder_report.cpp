// SPDX-License-Identifier: Apache-2.0
#include "cli/search_ladder_report.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace coulomb::cli {
namespace {

using calibration::CampaignRound;
using calibration::ExtremeResult;
using calibration::RankAgreement;
using calibration::SiliconRun;
using calibration::SizedTime;
using Json = nlohmann::ordered_json;

Json params_json(const kernel::Configuration& configuration) {
  Json params = Json::object();
  for (const auto& [name, value] : configuration.entries()) {
    params[name] = kernel::to_json(value);
  }
  return params;
}

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::optional<double> regret(const LadderOutcome& outcome) {
  const auto best = outcome.best();
  return best && outcome.optimum_ms
             ? std::optional(outcome.runs[*best].ms / *outcome.optimum_ms - 1.0)
             : std::nullopt;
}

/// Candidates that were promoted to a rung, all batches together.
std::size_t promoted(const LadderOutcome& outcome, std::size_t rung) {
  std::size_t sum = 0;
  for (const CampaignRound& round : outcome.rounds) {
    sum += rung < round.promoted.size() ? round.promoted[rung] : 0;
  }
  return sum;
}

Json runs_json(const LadderOutcome& outcome) {
  Json all = Json::array();
  for (std::size_t i = 0; i < outcome.runs.size(); ++i) {
    const SiliconRun& run = outcome.runs[i];
    Json json = {{"params", params_json(outcome.configurations[i])}, {"candidate", run.id}};
    json["ms"] = run.problem.empty() ? Json(run.ms) : Json(nullptr);
    json["expected_ms"] = run.expected_ms;
    json["noise"] = run.noise;
    json["problem"] = run.problem.empty() ? Json(nullptr) : Json(run.problem);
    all.push_back(std::move(json));
  }
  return all;
}

Json curve_json(const LadderOutcome& outcome) {
  Json curve = Json::array();
  std::optional<double> best;
  for (std::size_t i = 0; i < outcome.runs.size(); ++i) {
    const SiliconRun& run = outcome.runs[i];
    if (run.problem.empty() && (!best || run.ms < *best)) {
      best = run.ms;
      curve.push_back({i + 1, run.ms});
    }
  }
  return curve;
}

Json rounds_json(const LadderOutcome& outcome) {
  Json all = Json::array();
  for (const CampaignRound& round : outcome.rounds) {
    all.push_back({{"candidates", round.candidates},
                   {"promoted", round.promoted},
                   {"runs", round.runs.size()},
                   {"expected_gain", round.expected_gain}});
  }
  return all;
}

Json sized_json(const SizedTime& time) {
  Json json = {{"status", eval::to_string(time.status)}};
  json["ms"] = time.status == eval::EvalStatus::ok ? Json(time.ms) : Json(nullptr);
  return json;
}

std::string sized_text(const SizedTime& time) {
  return time.status == eval::EvalStatus::ok ? fmt::format("{:.5g} ms", time.ms)
                                             : std::string(eval::to_string(time.status));
}

std::string percent(const std::optional<double>& fraction) {
  return fraction ? fmt::format("{:.1f} %", 100.0 * *fraction) : std::string("-");
}

std::string rung_table(const LadderOutcome& outcome) {
  const auto line = [](const std::string& name, std::size_t count, double cost) {
    return fmt::format("           {:<12} {:>10} {:>14.0f}\n", name, count,
                       static_cast<double>(count) * cost);
  };
  std::string text =
      fmt::format("rungs      {:<12} {:>10} {:>14}\n", "rung", "candidates", "simulations");
  text += line(outcome.first_rung, outcome.simulations, 1.0);
  for (std::size_t rung = 0; rung < outcome.rungs.size(); ++rung) {
    text += line(outcome.rungs[rung], promoted(outcome, rung), outcome.rung_costs[rung]);
  }
  return text + line("silicon", outcome.runs.size(), 0.0);
}

std::string agreement_lines(const LadderOutcome& outcome) {
  std::string text;
  for (const RankAgreement& a : outcome.agreements) {
    text += fmt::format("{}{:<10} to {:<10} Spearman {:>6}   n {:<4} favourite {} above the best\n",
                        text.empty() ? "agreement  " : "           ", a.lower, a.upper,
                        a.spearman ? fmt::format("{:.2f}", *a.spearman) : "-", a.n,
                        percent(a.top_regret));
  }
  return text;
}

/// A size at which the default configuration fails says nothing of the winner: most likely the
/// kernel is written for one size.
std::string verdict(const ExtremeResult& extreme) {
  if (extreme.reference.status != eval::EvalStatus::ok) {
    return "   not comparable: the default fails there";
  }
  return extreme.regression() ? "   REGRESSION" : "";
}

std::string extreme_lines(const LadderOutcome& outcome) {
  std::string text;
  for (const ExtremeResult& extreme : outcome.extremes) {
    text +=
        fmt::format("{}{:<9} {:<18} {} against {} of the default{}\n",
                    text.empty() ? "other size " : "           ", extreme.size.name,
                    fmt::format("{}", fmt::join(extreme.size.problem_size, " x ")),
                    sized_text(extreme.winner), sized_text(extreme.reference), verdict(extreme));
  }
  return text.empty() ? text
                      : text + fmt::format("           (timed by the {})\n", outcome.extremes_on);
}

} // namespace

Json ladder_json(const LadderOutcome& outcome) {
  const auto best = outcome.best();
  Json json = {{"device", outcome.device},
               {"budget", outcome.budget},
               {"runs", outcome.runs.size()},
               {"best_ms", best ? Json(outcome.runs[*best].ms) : Json(nullptr)},
               {"best_params", best ? params_json(outcome.configurations[*best]) : Json(nullptr)},
               {"optimum_ms", number_or_null(outcome.optimum_ms)},
               {"regret", number_or_null(regret(outcome))},
               {"curve", curve_json(outcome)},
               {"measured", runs_json(outcome)},
               {"batches", rounds_json(outcome)},
               {"gap_model",
                {{"observations", outcome.gap_observations}, {"of_this_table", outcome.gap_own}}}};
  json["rungs"] =
      Json::array({{{"name", outcome.first_rung}, {"candidates", outcome.simulations}}});
  for (std::size_t rung = 0; rung < outcome.rungs.size(); ++rung) {
    json["rungs"].push_back({{"name", outcome.rungs[rung]},
                             {"candidates", promoted(outcome, rung)},
                             {"cost", outcome.rung_costs[rung]}});
  }
  json["agreement"] = Json::array();
  for (const RankAgreement& a : outcome.agreements) {
    json["agreement"].push_back({{"lower", a.lower},
                                 {"upper", a.upper},
                                 {"n", a.n},
                                 {"spearman", number_or_null(a.spearman)},
                                 {"top_regret", number_or_null(a.top_regret)}});
  }
  json["extreme_sizes"] = Json::array();
  for (const ExtremeResult& extreme : outcome.extremes) {
    json["extreme_sizes"].push_back({{"name", extreme.size.name},
                                     {"problem_size", extreme.size.problem_size},
                                     {"timed_by", outcome.extremes_on},
                                     {"winner", sized_json(extreme.winner)},
                                     {"default", sized_json(extreme.reference)},
                                     {"regression", extreme.regression()}});
  }
  return json;
}

std::string ladder_text(const LadderOutcome& outcome) {
  const auto best = outcome.best();
  std::string text = fmt::format("silicon    {}   {} of {} runs   ", outcome.device,
                                 outcome.runs.size(), outcome.budget);
  if (best) {
    text += fmt::format("best {:.5g} ms, run {}", outcome.runs[*best].ms, *best + 1);
    if (const auto above = regret(outcome)) {
      text += fmt::format("   {} above the table's best, {:.5g} ms", percent(above),
                          *outcome.optimum_ms);
    }
    text += fmt::format("\n           {}\n", outcome.configurations[*best].key());
  } else {
    text += "no candidate ran\n";
  }
  return text + rung_table(outcome) + agreement_lines(outcome) + extreme_lines(outcome);
}

} // namespace coulomb::cli
