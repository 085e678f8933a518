// SPDX-License-Identifier: Apache-2.0
#include "calibration/points/measurement_plan.hpp"

#include "base/error.hpp"
#include "base/eval/simulation.hpp"
#include "base/kernel/argument_text.hpp"
#include "base/kernel/json_view.hpp"
#include "base/results/csv.hpp"
#include "base/text.hpp"
#include "calibration/points/substitution.hpp"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace coulomb::calibration::points {
namespace {

using kernel::JsonView;
using Strings = std::vector<std::string>;

Strings read_strings(const JsonView& view) {
  Strings result;
  for (const JsonView& e : view.elements()) {
    result.push_back(e.expression());
  }
  return result;
}

Strings optional_strings(const JsonView& view, const char* key) {
  const auto found = view.find(key);
  return found ? read_strings(*found) : Strings{};
}

std::string optional_text(const JsonView& view, const char* key, const char* otherwise = "") {
  const auto found = view.find(key);
  return found ? found->expression() : std::string(otherwise);
}

std::map<std::string, std::string> read_values(const JsonView& view, const char* key) {
  std::map<std::string, std::string> values;
  if (const auto found = view.find(key)) {
    for (const auto& name : found->keys()) {
      values[name] = found->at(name).expression();
    }
  }
  return values;
}

Probe read_probe(const JsonView& view) {
  view.only({"source", "program", "grid", "block", "arguments", "defines", "options", "shared",
             "values", "chip", "cache_state"});
  Probe p;
  p.source = view.at("source").string();
  p.program = optional_text(view, "program");
  p.grid = optional_text(view, "grid", "1");
  p.block = optional_text(view, "block", "32");
  p.arguments = optional_strings(view, "arguments");
  p.defines = optional_strings(view, "defines");
  p.options = optional_strings(view, "options");
  p.shared = optional_text(view, "shared", "0");
  p.values = read_values(view, "values");
  p.chip = view.find("chip") && view.at("chip").boolean();
  p.cache_state =
      eval::parse_cache_state(optional_text(view, "cache_state", "warm"), "cache_state of a probe");
  return p;
}

void read_vary(const JsonView& view, Measurement& m) {
  const auto keys = view.keys();
  if (keys.size() != 1) {
    view.fail("expected one name");
  }
  const auto ends = read_strings(view.at(keys.front()));
  if (ends.size() != 2) {
    view.fail("expected two values");
  }
  m.vary = keys.front();
  m.between = {ends[0], ends[1]};
}

Measurement read_measurement(const JsonView& view) {
  view.only({"probe", "values", "vary", "metric", "per", "work", "sum", "ratio", "config", "times",
             "plus", "echo"});
  Measurement m;
  m.probe = optional_text(view, "probe");
  m.values = read_values(view, "values");
  if (const auto vary = view.find("vary")) {
    read_vary(*vary, m);
  }
  m.metric = optional_text(view, "metric", "out[0]");
  if (const auto per = view.find("per")) {
    m.per = per->number();
  }
  if (const auto work = view.find("work")) {
    m.work = work->number();
  }
  if (const auto plus = view.find("plus")) {
    m.plus = plus->number();
  }
  if (const auto sum = view.find("sum")) {
    for (const JsonView& term : sum->elements()) {
      const auto parts = term.elements();
      if (parts.size() != 2) {
        term.fail("expected [factor, measurement]");
      }
      m.sum.emplace_back(parts[0].number(), parts[1].string());
    }
  }
  m.ratio = optional_strings(view, "ratio");
  m.config = optional_text(view, "config");
  m.times = optional_strings(view, "times");
  m.echo = view.find("echo") && view.at("echo").boolean();
  const int kinds = static_cast<int>(!m.probe.empty()) + static_cast<int>(!m.sum.empty()) +
                    static_cast<int>(!m.ratio.empty()) + static_cast<int>(!m.config.empty());
  if (kinds != 1 || (!m.ratio.empty() && m.ratio.size() != 2)) {
    view.fail("expected one of probe, sum, ratio (of two) and config");
  }
  return m;
}

Strings split(const std::string& text) {
  Strings parts;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// chip,name,measure,keys,gpu; `measure` is names separated by ';', or "!reason".
std::vector<PointPlan> read_point_plans(const std::string& path) {
  const results::CsvTable table = results::read_csv(path);
  if (table.columns != Strings{"chip", "name", "measure", "keys", "gpu"}) {
    throw UserError(fmt::format("{}:1: the columns must be chip,name,measure,keys,gpu", path));
  }
  std::vector<PointPlan> plans;
  for (const auto& row : table.rows) {
    PointPlan p{row[0], row[1], {}, {}, split(row[3]), row[4]};
    if (row[2].starts_with('!')) {
      p.reason = row[2].substr(1);
    } else {
      p.measures = split(row[2]);
    }
    plans.push_back(std::move(p));
  }
  return plans;
}

template <typename Value>
void check_name(const std::map<std::string, Value>& defined,
                const std::string& name,
                const std::string& what,
                const std::string& where) {
  if (defined.contains(name)) {
    return;
  }
  Strings names;
  for (const auto& entry : defined) {
    names.push_back(entry.first);
  }
  throw UserError(
      fmt::format("{}: there is no {} \"{}\"{}", where, what, name, did_you_mean(name, names)));
}

void check_names(const MeasurementPlan& plan) {
  const std::string origin = plan.folder + "/plan.json";
  for (const auto& [name, m] : plan.measurements) {
    const std::string where = fmt::format("{}: measurements.{}", origin, name);
    if (!m.probe.empty()) {
      check_name(plan.probes, m.probe, "probe", where);
    }
    for (const auto& term : m.sum) {
      check_name(plan.measurements, term.second, "measurement", where);
    }
    for (const auto& part : m.ratio) {
      check_name(plan.measurements, part, "measurement", where);
    }
  }
  for (const auto& [chip, gpus] : plan.chips) {
    for (const auto& gpu : gpus) {
      check_name(plan.gpus, gpu, "GPU", fmt::format("{}: chips.{}", origin, chip));
    }
  }
  for (const auto& p : plan.points) {
    const std::string where = fmt::format("{}/points.csv: {}, {}", plan.folder, p.chip, p.name);
    for (const auto& m : p.measures) {
      check_name(plan.measurements, m, "measurement", where);
    }
    if (p.measures.empty()) {
      check_name(plan.reasons, p.reason, "reason", where);
    }
    if (!p.gpu.empty()) {
      check_name(plan.gpus, p.gpu, "GPU", where);
    }
  }
}

} // namespace

MeasurementPlan MeasurementPlan::load(const std::string& folder) {
  const std::string path = folder + "/plan.json";
  const nlohmann::json document = kernel::parse_json(read_file(path), path);
  const JsonView view(document, path);
  view.only({"chips", "gpus", "probes", "measurements", "reasons", "sources"});
  MeasurementPlan plan;
  plan.folder = folder;
  const auto each = [&](const char* key, const auto& use) {
    const JsonView part = view.at(key);
    for (const auto& name : part.keys()) {
      use(name, part.at(name));
    }
  };
  each("chips", [&](const auto& name, const auto& v) { plan.chips[name] = read_strings(v); });
  each("gpus", [&](const auto& name, const auto& v) {
    plan.gpus[name] = {v.at("gpu").string(), optional_strings(v, "set")};
  });
  each("probes", [&](const auto& name, const auto& v) { plan.probes[name] = read_probe(v); });
  each("measurements",
       [&](const auto& name, const auto& v) { plan.measurements[name] = read_measurement(v); });
  each("reasons", [&](const auto& name, const auto& v) { plan.reasons[name] = v.string(); });
  each("sources", [&](const auto& name, const auto& v) { plan.sources[name] = read_strings(v); });
  plan.points = read_point_plans(folder + "/points.csv");
  check_names(plan);
  return plan;
}

const PointPlan* MeasurementPlan::find(const std::string& chip, const std::string& name) const {
  const auto found = std::find_if(points.begin(), points.end(), [&](const PointPlan& p) {
    return p.chip == chip && p.name == name;
  });
  return found == points.end() ? nullptr : &*found;
}

std::map<std::string, std::string> all_values(const Probe& probe,
                                              const std::map<std::string, std::string>& values) {
  std::map<std::string, std::string> all = values;
  all.insert(probe.values.begin(), probe.values.end());
  return all;
}

kernel::LaunchDescription make_launch(const Probe& probe,
                                      const std::map<std::string, std::string>& values,
                                      const std::string& folder) {
  const std::map<std::string, std::string> all = all_values(probe, values);
  kernel::LaunchDescription launch;
  launch.source = folder + "/" + probe.source;
  launch.origin = launch.source;
  launch.grid = kernel::parse_extent(substitute(probe.grid, all), "grid of " + probe.source);
  launch.block = kernel::parse_extent(substitute(probe.block, all), "block of " + probe.source);
  launch.shared_bytes =
      static_cast<std::uint32_t>(std::strtoul(substitute(probe.shared, all).c_str(), nullptr, 10));
  for (const auto& option : probe.options) {
    launch.options.push_back(substitute(option, all));
  }
  for (const auto& name : probe.defines) {
    launch.options.push_back(fmt::format("-D{}={}", name, substitute("${" + name + "}", all)));
  }
  for (std::size_t i = 0; i < probe.arguments.size(); ++i) {
    launch.arguments.push_back(
        kernel::parse_argument_text(substitute(probe.arguments[i], all), i, folder));
  }
  return launch;
}

} // namespace coulomb::calibration::points
