// SPDX-License-Identifier: Apache-2.0
#include "cli/whatif_report.hpp"

#include "cli/json_output.hpp"
#include "cli/search_report.hpp"
#include "search/whatif/design.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace coulomb::cli {
namespace {

using Json = nlohmann::ordered_json;
using search::Effect;
using search::EvaluationRecord;

double counter(const EvaluationRecord& record, const std::string& name) {
  const auto it = record.counters.find(name);
  return it == record.counters.end() ? 0.0 : it->second;
}

std::string percent(double ratio) {
  return fmt::format("{:+.1f} %", 100.0 * (ratio - 1.0));
}

std::string figures(const EvaluationRecord& r) {
  return fmt::format("{:.4g} ms, {:.4g} mJ, {:.0f} W, {:.0f} C, {:.0f} mm2", r.time_ms,
                     1000.0 * counter(r, "model__energy.sum"), counter(r, "model__power.avg"),
                     counter(r, "model__temperature.avg"), counter(r, "model__area.mm2"));
}

std::string effect_text(const Effect& e) {
  return fmt::format("time {}, energy {}, area {:+.1f} mm2", percent(e.time), percent(e.energy),
                     e.area_mm2);
}

std::string change_line(const search::SingleChange& change) {
  const std::string what = fmt::format("{} = {}", change.key, change.value);
  if (!change.effect) {
    return fmt::format("    {:<40} not comparable: {}\n", what,
                       change.problem.substr(0, change.problem.find('\n')));
  }
  return fmt::format("    {:<40} {}{}\n", what, effect_text(*change.effect),
                     change.exercised ? "" : "   (not exercised)");
}

std::string reasons_text(const search::DesignReasons& reasons, std::size_t number) {
  std::string text = fmt::format("\ndesign {}   {}   ({})\n", number, figures(reasons.design),
                                 effect_text(reasons.effect));
  for (const search::KernelLimit& k : reasons.kernels) {
    text += fmt::format("    {:<18} time {:<9} limited by {} ({:.0f} %) -> {} ({:.0f} %), at "
                        "{:.0f} MHz and {:.0f} W\n",
                        k.kernel, percent(k.time), k.before, 100.0 * k.busy_before, k.after,
                        100.0 * k.busy_after, k.sm_clock_mhz, k.power_w);
  }
  if (!reasons.changes.empty()) {
    text += "  each change, against the design without it\n";
  }
  for (const search::SingleChange& change : reasons.changes) {
    text += change_line(change);
  }
  return text;
}

Json effect_json(const Effect& e) {
  return {{"time", e.time}, {"energy", e.energy}, {"power", e.power}, {"area_mm2", e.area_mm2}};
}

Json change_json(const search::SingleChange& c) {
  return {{"key", c.key},
          {"value", c.value},
          {"effect", c.effect ? effect_json(*c.effect) : Json(nullptr)},
          {"exercised", c.exercised},
          {"problem", c.problem}};
}

Json design_json(const EvaluationRecord& r) {
  Json genes = Json::object();
  for (const auto& [key, value] : r.configuration.entries()) {
    genes[key] = kernel::to_json(value);
  }
  return {{"genes", std::move(genes)},
          {"status", eval::to_string(r.status)},
          {"message", r.message},
          {"time_ms", r.time_ms},
          {"energy_mj", 1000.0 * counter(r, "model__energy.sum")},
          {"power_w", counter(r, "model__power.avg")},
          {"temperature_c", counter(r, "model__temperature.avg")},
          {"area_mm2", counter(r, "model__area.mm2")}};
}

Json reasons_json(const search::DesignReasons& reasons) {
  Json j = design_json(reasons.design);
  j["effect"] = effect_json(reasons.effect);
  j["kernels"] = Json::array();
  for (const auto& k : reasons.kernels) {
    j["kernels"].push_back({{"kernel", k.kernel},
                            {"time", k.time},
                            {"limited_before", k.before},
                            {"limited_after", k.after},
                            {"busy_before", k.busy_before},
                            {"busy_after", k.busy_after},
                            {"sm_clock_mhz", k.sm_clock_mhz},
                            {"power_w", k.power_w}});
  }
  j["changes"] = Json::array();
  for (const auto& change : reasons.changes) {
    j["changes"].push_back(change_json(change));
  }
  return j;
}

} // namespace

std::string whatif_text(const search::Study& study,
                        const search::SearchRecords& records,
                        const search::StudyAnalysis& analysis,
                        const std::string& page) {
  std::string text =
      fmt::format("study      {}   {} kernels, {} genes, {} designs evaluated of {}\n"
                  "baseline   {}: {}\n",
                  study.name, study.kernels.size(), study.genes.size(), records.evaluations.size(),
                  records.header.space_size, study.gpu, figures(analysis.baseline));
  for (std::size_t i = 0; i < analysis.designs.size(); ++i) {
    text += reasons_text(analysis.designs[i], i + 1);
  }
  text += "\none change at a time, against the baseline\n";
  for (const auto& change : analysis.singles) {
    text += change_line(change);
  }
  if (!analysis.interactions.empty()) {
    text += "\npairs: time beyond the product of the single effects\n";
  }
  for (const auto& pair : analysis.interactions) {
    text += fmt::format("    {} = {} with {} = {}   time {}, {:+.1f} % beyond\n", pair.a.key,
                        pair.a.value, pair.b.key, pair.b.value, percent(pair.together.time),
                        100.0 * pair.beyond);
  }
  text += fmt::format("\nreport     {}\n", page);
  return text;
}

std::string whatif_json(const search::Study& study,
                        const search::SearchRecords& records,
                        const search::StudyAnalysis& analysis,
                        const std::string& dir) {
  Json j = Json::parse(search_json(records, {.dir = dir}));
  j["study"] = study.name;
  j["baseline"] = design_json(analysis.baseline);
  j["designs"] = Json::array();
  for (const auto& reasons : analysis.designs) {
    j["designs"].push_back(reasons_json(reasons));
  }
  j["sensitivity"] = Json::array();
  for (const auto& change : analysis.singles) {
    j["sensitivity"].push_back(change_json(change));
  }
  j["interactions"] = Json::array();
  for (const auto& pair : analysis.interactions) {
    j["interactions"].push_back({{"a", change_json(pair.a)},
                                 {"b", change_json(pair.b)},
                                 {"together", effect_json(pair.together)},
                                 {"beyond", pair.beyond}});
  }
  return json_text(j) + "\n";
}

std::string whatif_axis_text(const search::Study& study,
                             const std::vector<EvaluationRecord>& designs) {
  std::string text = fmt::format("study      {}\ngpu        {}\n\n", study.name, study.gpu);
  const auto first = std::ranges::find(designs, eval::EvalStatus::ok, &EvaluationRecord::status);
  for (const EvaluationRecord& r : designs) {
    text += fmt::format("  {:<44} ", r.configuration.key());
    if (r.status != eval::EvalStatus::ok) {
      text += fmt::format("{}: {}\n", eval::to_string(r.status),
                          r.message.substr(0, r.message.find('\n')));
      continue;
    }
    text += fmt::format("{}   time {}, energy {}\n", figures(r),
                        percent(search::effect_of(r, *first).time),
                        percent(search::effect_of(r, *first).energy));
  }
  return text;
}

std::string whatif_axis_json(const search::Study& study,
                             const std::vector<EvaluationRecord>& designs) {
  Json j = {{"schema", kJsonSchema}, {"study", study.name}, {"gpu", study.gpu}};
  j["designs"] = Json::array();
  for (const EvaluationRecord& r : designs) {
    Json design = design_json(r);
    design["kernels"] = Json::object();
    for (const auto& kernel : study.kernels) {
      for (const char* name : {"time_ms", "power_w", "energy_mj", "sm_clock_mhz"}) {
        design["kernels"][kernel.name][name] = counter(r, search::kernel_metric(kernel.name, name));
      }
    }
    j["designs"].push_back(std::move(design));
  }
  return json_text(j) + "\n";
}

} // namespace coulomb::cli
