// SPDX-License-Identifier: Apache-2.0
#include "calibration/accuracy/accuracy_report.hpp"

#include <nlohmann/json.hpp>

namespace coulomb::calibration {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// The figure, and its interval as NAME_interval.
void put(Json& object, const char* name, const Figure& figure) {
  object[name] = json_of(figure.value);
  object[std::string(name) + "_interval"] =
      figure.interval ? Json{figure.interval->low, figure.interval->high} : Json(nullptr);
}

Json json_of(const AccuracyFigures& f) {
  Json out;
  out["n"] = f.n;
  put(out, "mape", f.mape);
  put(out, "median", f.median);
  out["p90"] = json_of(f.p90);
  put(out, "bias", f.bias);
  put(out, "spearman", f.spearman);
  out["kendall"] = json_of(f.kendall);
  put(out, "spearman_best5pct", f.spearman_best5pct);
  out["top1_regret"] = json_of(f.top1_regret);
  out["top5_regret"] = json_of(f.top5_regret);
  out["runs_to_5pct"] = json_of(f.runs_to_5pct);
  out["runs_to_2pct"] = json_of(f.runs_to_2pct);
  out["runs_to_1pct"] = json_of(f.runs_to_1pct);
  out["noise_floor"] = json_of(f.noise_floor);
  return out;
}

Json json_of(const RatioFigures& f) {
  Json out;
  out["n"] = f.n;
  put(out, "median", f.median);
  out["p90"] = json_of(f.p90);
  out["bias"] = json_of(f.bias);
  put(out, "spearman", f.spearman);
  return out;
}

template <class Figures>
Json maybe(const std::optional<Figures>& figures) {
  return figures ? json_of(*figures) : Json(nullptr);
}

} // namespace

Json to_json(const Transfer& t) {
  return {{"from", t.from},
          {"to", t.to},
          {"kernel", t.kernel},
          {"from_n", t.from_n},
          {"to_n", t.to_n},
          {"measured_ratio",
           {{"p10", json_of(t.ratio_p10)},
            {"median", json_of(t.ratio_median)},
            {"p90", json_of(t.ratio_p90)}}},
          {"ratio",
           {{"constant", json_of(t.constant)},
            {"simulator", json_of(t.simulator)},
            {"calibrated_on_both_held_out", maybe(t.both)},
            {"calibrated_on_from_held_out", maybe(t.from_only)}}},
          {"times",
           {{"simulator", json_of(t.to_simulator)},
            {"calibrated_on_from_held_out", maybe(t.to_calibrated)}}}};
}

Json to_json(const AccuracyReport& report) {
  Json out = {{"schema", kSchema},
              {"date", report.date},
              {"command", report.command},
              {"inputs", report.inputs},
              {"stored_model", report.stored_model},
              {"folds", report.held_out.folds},
              {"seed", report.held_out.seed},
              {"bootstrap_replicates", report.bootstrap.replicates}};
  out["tables"] = Json::array();
  for (const AccuracyTable& t : report.tables) {
    const SubjectText& subject = text_of(t.subject);
    Json rows = Json::array();
    for (const AccuracyRow& r : t.rows) {
      Json row = {{"board", r.board}, {"kernel", r.spec}};
      row.update(json_of(r.figures));
      rows.push_back(std::move(row));
    }
    out["tables"].push_back(
        {{"subject", subject.word}, {"calibration", subject.seen}, {"rows", std::move(rows)}});
  }
  out["transfers"] = Json::array();
  for (const Transfer& t : report.transfers) {
    out["transfers"].push_back(to_json(t));
  }
  return out;
}

} // namespace coulomb::calibration
