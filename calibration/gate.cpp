// SPDX-License-Identifier: Apache-2.0
#include "calibration/gate.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/ranges.h>
#include <string_view>

namespace coulomb::calibration {
namespace {

using Value = std::optional<double>;
using Report = ValidationReport;

double real(std::size_t n) {
  return static_cast<double>(n);
}

struct Metric {
  const char* name;
  Value (*value)(const Report&);
};

constexpr Metric kMetrics[] = {
    {"n", [](const Report& r) { return Value(real(r.n)); }},
    {"mape", [](const Report& r) { return r.errors.mape; }},
    {"median_ape", [](const Report& r) { return r.errors.median_ape; }},
    {"p90_ape", [](const Report& r) { return r.errors.p90_ape; }},
    {"bias", [](const Report& r) { return r.errors.bias; }},
    {"scale_free.factor", [](const Report& r) { return r.scale.factor; }},
    {"scale_free.mape", [](const Report& r) { return r.scale.mape; }},
    {"scale_free.median_ape", [](const Report& r) { return r.scale.median_ape; }},
    {"spearman", [](const Report& r) { return r.spearman; }},
    {"kendall", [](const Report& r) { return r.kendall; }},
    {"spearman_best5pct", [](const Report& r) { return r.spearman_best5pct; }},
    {"top1_regret", [](const Report& r) { return r.top1_regret; }},
    {"top5_regret", [](const Report& r) { return r.top5_regret; }},
    {"invalid.both", [](const Report& r) { return Value(real(r.invalid.both)); }},
    {"invalid.silicon_only", [](const Report& r) { return Value(real(r.invalid.silicon_only)); }},
    {"invalid.sim_only", [](const Report& r) { return Value(real(r.invalid.sim_only)); }},
    {"invalid.undecided", [](const Report& r) { return Value(real(r.invalid.undecided)); }},
};

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) {
    return {};
  }
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

double parse_bound(const std::string& digits, const std::string& text) {
  double bound = 0.0;
  const char* end = digits.data() + digits.size();
  const auto [stop, ec] = std::from_chars(digits.data(), end, bound);
  if (digits.empty() || ec != std::errc{} || stop != end || !std::isfinite(bound)) {
    const bool per_cent = !digits.empty() && digits.back() == '%';
    throw UserError(fmt::format("--fail-if \"{}\": \"{}\" is not a number", text, digits),
                    per_cent ? "metrics are fractions: write 0.2 for 20 %"
                             : "write for instance: mape > 0.2");
  }
  return bound;
}

} // namespace

std::vector<std::string> gate_metrics() {
  std::vector<std::string> names;
  for (const auto& m : kMetrics) {
    names.emplace_back(m.name);
  }
  return names;
}

Gate parse_gate(const std::string& text) {
  const auto at = text.find_first_of("<>");
  if (at == std::string::npos) {
    throw UserError(fmt::format("--fail-if \"{}\" has no comparison", text),
                    "write METRIC > NUMBER with one of > >= < <=, for instance: mape > 0.2");
  }
  const bool or_equal = at + 1 < text.size() && text[at + 1] == '=';
  Gate gate;
  gate.text = text;
  gate.metric = trimmed(std::string_view(text).substr(0, at));
  gate.comparison = text.substr(at, or_equal ? 2 : 1);
  const auto names = gate_metrics();
  if (std::find(names.begin(), names.end(), gate.metric) == names.end()) {
    throw UserError(fmt::format("--fail-if \"{}\": unknown metric \"{}\"{}", text, gate.metric,
                                did_you_mean(gate.metric, names)),
                    fmt::format("metrics: {}", fmt::join(names, ", ")));
  }
  gate.bound =
      parse_bound(trimmed(std::string_view(text).substr(at + gate.comparison.size())), text);
  return gate;
}

std::optional<double> metric_value(const Gate& gate, const ValidationReport& report) {
  for (const auto& m : kMetrics) {
    if (gate.metric == m.name) {
      return m.value(report);
    }
  }
  throw InternalError(fmt::format("gate on unknown metric {}", gate.metric));
}

bool fails(const Gate& gate, const ValidationReport& report) {
  const auto value = metric_value(gate, report);
  if (!value) {
    return true;
  }
  if (gate.comparison == ">") {
    return *value > gate.bound;
  }
  if (gate.comparison == ">=") {
    return *value >= gate.bound;
  }
  return gate.comparison == "<" ? *value < gate.bound : *value <= gate.bound;
}

} // namespace coulomb::calibration
