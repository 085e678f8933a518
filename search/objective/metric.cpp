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

struct Figure {
  std::string_view name;
  double (*value)(const EvaluationRecord&);
};

constexpr std::array kFigures = {
    Figure{"time_ms", [](const EvaluationRecord& r) { return r.time_ms; }},
    Figure{"cycles", [](const EvaluationRecord& r) { return r.cycles; }},
    Figure{"ipc", [](const EvaluationRecord& r) { return r.ipc; }},
    Figure{"registers", [](const EvaluationRecord& r) { return double{1} * r.registers; }},
};

/// What users of tuners ask for and this model has no answer to.
constexpr std::array<std::string_view, 6> kNotModelled = {"energy", "energy_mj", "edp",
                                                          "power",  "power_w",   "temperature"};

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
    if (std::find(kNotModelled.begin(), kNotModelled.end(), name) != kNotModelled.end()) {
      throw UnsupportedError(fmt::format("objective: {} is not modelled yet", name), hint);
    }
    throw UserError(
        fmt::format("objective: there is no metric {}{}", name, did_you_mean(name, available)),
        hint);
  }
}

} // namespace coulomb::search
