// SPDX-License-Identifier: Apache-2.0
#include "search/objective/metric.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <fmt/ranges.h>
#include <string_view>

namespace coulomb::search {
namespace {

using Value = std::optional<double>;

struct Figure {
  std::string_view name;
  Value (*value)(const EvaluationRecord&);
};

/// A counter times `factor`; nothing if the evaluation lacks it.
Value counter(const EvaluationRecord& record, const char* name, double factor = 1.0) {
  const auto found = record.counters.find(name);
  return found == record.counters.end() ? Value() : Value(found->second * factor);
}

Value energy_mj(const EvaluationRecord& record) {
  return counter(record, "model__energy.sum", 1000.0);
}

constexpr std::array kFigures = {
    Figure{"time_ms", [](const EvaluationRecord& r) { return Value(r.time_ms); }},
    Figure{"cycles", [](const EvaluationRecord& r) { return Value(r.cycles); }},
    Figure{"ipc", [](const EvaluationRecord& r) { return Value(r.ipc); }},
    Figure{"registers", [](const EvaluationRecord& r) { return Value(r.registers); }},
    Figure{"power_w", [](const EvaluationRecord& r) { return counter(r, "model__power.avg"); }},
    Figure{"energy_mj", energy_mj},
    Figure{"edp",
           [](const EvaluationRecord& r) {
             const Value energy = energy_mj(r);
             return energy ? Value(*energy * r.time_ms) : Value();
           }},
    Figure{"area_mm2", [](const EvaluationRecord& r) { return counter(r, "model__area.mm2"); }},
    Figure{"temperature_c",
           [](const EvaluationRecord& r) { return counter(r, "model__temperature.avg"); }},
};

/// Figures of the simulator's power model; recorded silicon has no answer to them.
constexpr std::array<std::string_view, 5> kOfPower = {"power_w", "energy_mj", "edp", "area_mm2",
                                                      "temperature_c"};

} // namespace

std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  for (const Figure& figure : kFigures) {
    names.emplace_back(figure.name);
  }
  return names;
}

std::optional<double> metric(const EvaluationRecord& record, const std::string& name) {
  for (const Figure& figure : kFigures) {
    if (figure.name == name) {
      return figure.value(record);
    }
  }
  const auto counter = record.counters.find(name);
  return counter == record.counters.end() ? std::nullopt : std::optional(counter->second);
}

void check_metrics(const std::vector<std::string>& wanted,
                   const std::vector<std::string>& available) {
  const auto has = [&](std::string_view name) {
    return std::find(available.begin(), available.end(), name) != available.end();
  };
  std::vector<std::string> figures = figure_names();
  std::erase_if(figures, [&](const std::string& name) { return !has(name); });
  const std::string hint = fmt::format(
      "there are: {}{}", fmt::join(figures, ", "),
      available.size() > figures.size() ? ", and the counters of docs/counters.md" : "");
  for (const std::string& name : wanted) {
    if (has(name)) {
      continue;
    }
    if (std::find(kOfPower.begin(), kOfPower.end(), name) != kOfPower.end()) {
      throw UnsupportedError(
          fmt::format("objective: {} takes the simulator, recorded silicon has times alone", name),
          hint);
    }
    throw UserError(
        fmt::format("objective: there is no metric {}{}", name, did_you_mean(name, available)),
        hint);
  }
}

} // namespace coulomb::search
