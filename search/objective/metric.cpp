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

void check_metric(const std::string& name, const std::vector<std::string>& counters) {
  std::vector<std::string> known = figure_names();
  const std::string figures = fmt::format("{}", fmt::join(known, ", "));
  known.insert(known.end(), counters.begin(), counters.end());
  if (std::find(known.begin(), known.end(), name) != known.end()) {
    return;
  }
  if (std::find(kNotModelled.begin(), kNotModelled.end(), name) != kNotModelled.end()) {
    throw UnsupportedError(
        fmt::format("objective: {} is not modelled yet", name),
        fmt::format("modelled: {}, and the counters of docs/counters.md", figures));
  }
  throw UserError(
      fmt::format("objective: there is no metric {}{}", name, did_you_mean(name, known)),
      fmt::format("there are: {}, and the counters of docs/counters.md", figures));
}

} // namespace coulomb::search
