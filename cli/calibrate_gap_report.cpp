// SPDX-License-Identifier: Apache-2.0
#include "cli/calibrate_gap_report.hpp"

#include "cli/json_output.hpp"

#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

namespace coulomb::cli {
namespace {

using namespace calibration;
using Json = nlohmann::ordered_json;
using Out = std::back_insert_iterator<std::string>;

constexpr std::size_t kShownEffects = 10;
constexpr double kSmallEffect = 5e-4;

std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f} %", 100.0 * *value) : "-";
}

std::string signed_percent(double log_ratio) {
  return fmt::format("{:+.1f} %", 100.0 * std::expm1(log_ratio));
}

std::string figure(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "-";
}

std::string arrow(const std::string& before, const std::string& after) {
  return fmt::format("{:>7} -> {:<7}", before, after);
}

void table(Out out, const std::vector<CrossValidationRow>& rows) {
  fmt::format_to(out, "  {:<16} {:<20} {:>5}  {:<18} {:<18} {:<18} {:<18} {:<18} {}\n", "board",
                 "spec", "n", "mean error", "90 % within", "Spearman", "Kendall", "best 5 %",
                 "covered");
  for (const CrossValidationRow& r : rows) {
    fmt::format_to(
        out, "  {:<16} {:<20} {:>5}  {} {} {} {} {} {}\n", r.board, r.spec, r.after.n,
        arrow(percent(r.before.mape.value), percent(r.after.mape.value)),
        arrow(percent(r.before.p90), percent(r.after.p90)),
        arrow(figure(r.before.spearman.value), figure(r.after.spearman.value)),
        arrow(figure(r.before.kendall), figure(r.after.kendall)),
        arrow(figure(r.before.spearman_best5pct.value), figure(r.after.spearman_best5pct.value)),
        percent(r.covered));
  }
}

std::vector<CrossValidationRow> rows_of(const CrossValidation& all, HeldOut what) {
  std::vector<CrossValidationRow> rows;
  std::copy_if(all.rows.begin(), all.rows.end(), std::back_inserter(rows),
               [what](const auto& r) { return r.held_out == what; });
  return rows;
}

/// Where the correction does not help, in words.
void not_learnt(Out out, const CrossValidation& all) {
  for (const HeldOut what : all.impossible) {
    fmt::format_to(out, "  nothing is known of a new {}: the observations have only one\n",
                   to_string(what));
  }
  for (const CrossValidationRow& r : all.rows) {
    const auto before = r.before.mape.value;
    const auto after = r.after.mape.value;
    const auto rank = r.after.spearman.value;
    if (before && after && *after >= *before) {
      fmt::format_to(out, "  {} on {}, {} held out: the correction makes the error no smaller\n",
                     r.spec, r.board, to_string(r.held_out));
    }
    if (rank && r.before.spearman.value && *rank < *r.before.spearman.value) {
      fmt::format_to(out, "  {} on {}, {} held out: the correction makes the ranks worse\n", r.spec,
                     r.board, to_string(r.held_out));
    }
  }
}

Json figures_json(const AccuracyFigures& f) {
  const auto value = [](const std::optional<double>& x) { return x ? Json(*x) : Json(nullptr); };
  return {{"mape", value(f.mape.value)},
          {"median", value(f.median.value)},
          {"p90", value(f.p90)},
          {"bias", value(f.bias.value)},
          {"spearman", value(f.spearman.value)},
          {"kendall", value(f.kendall)},
          {"spearman_best5pct", value(f.spearman_best5pct.value)}};
}

Json row_json(const CrossValidationRow& r) {
  return {{"board", r.board},
          {"spec", r.spec},
          {"n", r.after.n},
          {"before", figures_json(r.before)},
          {"after", figures_json(r.after)},
          {"covered_90", r.covered}};
}

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

} // namespace

std::string gap_report_text(const GapReport& report) {
  std::string text;
  Out out = std::back_inserter(text);
  fmt::format_to(out, "gap model of {} observations: {}\n", report.observations, report.out);
  fmt::format_to(out, "times against silicon, simulated -> corrected by models that did not see "
                      "what is held out\n");
  for (const HeldOut what : {HeldOut::configuration, HeldOut::kernel, HeldOut::board}) {
    const auto rows = rows_of(report.held_out, what);
    if (!rows.empty()) {
      fmt::format_to(out, "\nheld out by {}", to_string(what));
      if (what == HeldOut::configuration) {
        fmt::format_to(out, " ({} folds, seed {})", report.split.folds, report.split.seed);
      }
      fmt::format_to(out, "\n");
      table(out, rows);
    }
  }
  if (!report.excluded.empty()) {
    fmt::format_to(out, "\nexcluded from the model, predicted by it\n");
    table(out, report.excluded);
  }
  std::string gaps;
  not_learnt(std::back_inserter(gaps), report.held_out);
  fmt::format_to(out, "\n{}{}", gaps.empty() ? "" : "not learnt\n", gaps);
  fmt::format_to(out, "covered: share within the model's own 90 % interval\n");
  return text;
}

Json gap_report_json(const GapReport& report) {
  Json j = {{"schema", kJsonSchema},
            {"model", report.out},
            {"observations", report.observations},
            {"folds", report.split.folds},
            {"seed", report.split.seed}};
  Json held_out = Json::object();
  for (const HeldOut what : {HeldOut::configuration, HeldOut::kernel, HeldOut::board}) {
    Json rows = Json::array();
    for (const CrossValidationRow& r : rows_of(report.held_out, what)) {
      rows.push_back(row_json(r));
    }
    held_out[std::string(to_string(what))] = std::move(rows);
  }
  j["held_out"] = std::move(held_out);
  j["excluded"] = Json::array();
  for (const CrossValidationRow& r : report.excluded) {
    j["excluded"].push_back(row_json(r));
  }
  return j;
}

std::string gap_summary_text(const GapModel& model, const GapSummary& summary) {
  std::string text;
  Out out = std::back_inserter(text);
  const GapHyperparameters& h = model.hyperparameters();
  fmt::format_to(out, "gap model of {} observations", model.observations().size());
  fmt::format_to(out, "{}{}\n\n", model.settings().model_hash.empty() ? "" : ", simulator ",
                 model.settings().model_hash);
  fmt::format_to(out, "  {:<16} {:<20} {:>5} {:>9} {:>14} {:>14}\n", "board", "spec", "n",
                 "outliers", "median gap", "p10 to p90");
  for (const GapGroup& g : summary.groups) {
    fmt::format_to(out, "  {:<16} {:<20} {:>5} {:>9} {:>14} {:>14}\n", g.board, g.spec, g.n,
                   g.outliers, signed_percent(g.bias), percent(std::expm1(g.spread)));
  }
  fmt::format_to(out, "\nparts of log(silicon/simulated), standard deviation\n");
  for (std::size_t p = 0; p < kGapParts.size(); ++p) {
    fmt::format_to(out, "  {:<36} {:.4f}\n", kGapParts[p].name,
                   h.amplitudes[static_cast<Eigen::Index>(p)]);
  }
  fmt::format_to(out, "  {:<36} {:.4f}\n", "noise (explained by no part)", h.noise);
  fmt::format_to(out,
                 "\nexplored: within {:.3f} standard deviations (rms over the inputs) of an "
                 "observation\n",
                 model.explored_within());
  fmt::format_to(out, "\ninfluence of the features: mean change of the time if it were average\n");
  for (const GapInfluence& i : summary.influences) {
    fmt::format_to(out, "  {:<36} {}\n", i.feature, percent(std::expm1(i.mean_effect)));
  }
  return text;
}

Json gap_summary_json(const GapModel& model, const GapSummary& summary) {
  const GapHyperparameters& h = model.hyperparameters();
  Json j = {{"schema", kJsonSchema},
            {"observations", model.observations().size()},
            {"model_hash", model.settings().model_hash},
            {"explored_within", model.explored_within()},
            {"noise", h.noise}};
  j["groups"] = Json::array();
  for (const GapGroup& g : summary.groups) {
    j["groups"].push_back({{"board", g.board},
                           {"spec", g.spec},
                           {"n", g.n},
                           {"outliers", g.outliers},
                           {"median_log_ratio", g.bias},
                           {"p10_to_p90_log_ratio", g.spread}});
  }
  j["parts"] = Json::object();
  for (std::size_t p = 0; p < kGapParts.size(); ++p) {
    j["parts"][std::string(kGapParts[p].name)] = h.amplitudes[static_cast<Eigen::Index>(p)];
  }
  j["influences"] = Json::object();
  for (const GapInfluence& i : summary.influences) {
    j["influences"][i.feature] = i.mean_effect;
  }
  return j;
}

std::string
gap_explanation_text(const GapModel& model, const Observation& observed, const GapExplanation& e) {
  std::string text;
  Out out = std::back_inserter(text);
  const GapPrediction& p = e.prediction;
  fmt::format_to(out, "{} on {}: {}\n", observed.spec, observed.board, observed.parameters.key());
  fmt::format_to(out, "  simulated {:.5g} ms, silicon {:.5g} ms ({} against the simulator)\n",
                 observed.sim_ms, observed.silicon_ms, signed_percent(observed.log_ratio()));
  fmt::format_to(out, "  predicted {:.5g} ms ({} +- {:.1f} %)\n", corrected_ms(p, observed.sim_ms),
                 signed_percent(p.log_ratio), 100.0 * p.deviation);
  fmt::format_to(out,
                 "  {}: the nearest observation is {:.3f} standard deviations off, 99 % of the "
                 "observations have one within {:.3f}\n\n",
                 p.unexplored ? "unexplored" : "explored", p.distance, model.explored_within());
  fmt::format_to(out, "parts of the correction\n");
  for (std::size_t i = 0; i < kGapParts.size(); ++i) {
    fmt::format_to(out, "  {:<36} {:>9}\n", kGapParts[i].name, signed_percent(e.parts[i]));
  }
  fmt::format_to(out, "\n  {:<36} {:>12} {:>10} {:>9}\n", "feature", "value", "off mean", "effect");
  for (std::size_t i = 0; i < std::min(kShownEffects, e.effects.size()); ++i) {
    const GapEffect& f = e.effects[i];
    if (std::abs(f.effect) >= kSmallEffect) {
      fmt::format_to(out, "  {:<36} {:>12} {:>+7.2f} sd {:>9}\n", f.feature,
                     std::isfinite(f.value) ? fmt::format("{:.4g}", f.value) : "unknown", f.offset,
                     signed_percent(f.effect));
    }
  }
  fmt::format_to(out, "\n  {:>8} {:>9}  nearest observations\n", "distance", "gap");
  for (const GapNeighbour& n : e.neighbours) {
    const Observation& o = model.observations()[n.observation];
    fmt::format_to(out, "  {:>8.3f} {:>9}  {} on {}: {}\n", n.distance,
                   signed_percent(o.log_ratio()), o.spec, o.board, o.parameters.key());
  }
  return text;
}

Json gap_explanation_json(const GapModel& model,
                          const Observation& observed,
                          const GapExplanation& e) {
  const GapPrediction& p = e.prediction;
  Json j = {{"schema", kJsonSchema},
            {"board", observed.board},
            {"spec", observed.spec},
            {"params", Json(observed.parameters.json())},
            {"sim_ms", observed.sim_ms},
            {"silicon_ms", observed.silicon_ms},
            {"corrected_ms", corrected_ms(p, observed.sim_ms)},
            {"log_ratio", p.log_ratio},
            {"deviation", p.deviation},
            {"distance", number(p.distance)},
            {"explored_within", model.explored_within()},
            {"unexplored", p.unexplored}};
  j["parts"] = Json::object();
  for (std::size_t i = 0; i < kGapParts.size(); ++i) {
    j["parts"][std::string(kGapParts[i].name)] = e.parts[i];
  }
  j["effects"] = Json::array();
  for (const GapEffect& f : e.effects) {
    j["effects"].push_back({{"feature", f.feature},
                            {"value", number(f.value)},
                            {"offset", f.offset},
                            {"effect", f.effect}});
  }
  j["nearest"] = Json::array();
  for (const GapNeighbour& n : e.neighbours) {
    const Observation& o = model.observations()[n.observation];
    j["nearest"].push_back({{"distance", n.distance},
                            {"log_ratio", o.log_ratio()},
                            {"board", o.board},
                            {"spec", o.spec},
                            {"params", Json(o.parameters.json())}});
  }
  return j;
}

} // namespace coulomb::cli
