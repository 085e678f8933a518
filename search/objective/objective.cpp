// SPDX-License-Identifier: Apache-2.0
#include "search/objective/objective.hpp"

#include "base/error.hpp"
#include "search/objective/metric.hpp"

#include <map>

namespace coulomb::search {
namespace {

constexpr std::string_view kMaximise = "max ";

double number(const kernel::ExpressionValue& value, const std::string& text) {
  if (!value.is_list) {
    if (const auto* real = std::get_if<double>(&value.scalar)) {
      return *real;
    }
    if (const auto* integer = std::get_if<std::int64_t>(&value.scalar)) {
      return static_cast<double>(*integer);
    }
    if (const auto* truth = std::get_if<bool>(&value.scalar)) {
      return *truth ? 1.0 : 0.0;
    }
  }
  throw UserError(fmt::format("objective \"{}\" is not a number", text));
}

} // namespace

Objective Objective::parse(const std::string& text, const std::vector<std::string>& counters) {
  Objective objective;
  objective.name_ = text;
  objective.maximised_ = text.starts_with(kMaximise);
  const std::string rest = objective.maximised_ ? text.substr(kMaximise.size()) : text;
  objective.expression_ = kernel::Expression::parse(rest == "time" ? "time_ms" : rest);
  for (const std::string& name : objective.expression_.names()) {
    check_metric(name, counters);
  }
  if (objective.expression_.names().empty()) {
    throw UserError(
        fmt::format("objective \"{}\" names no metric: every configuration is equal", text),
        "e.g. time, or \"max ipc\"");
  }
  return objective;
}

double Objective::value(const EvaluationRecord& record) const {
  std::map<std::string, kernel::ExpressionValue> values;
  const kernel::Scope scope{.lookup = [&](const std::string& name) {
    const auto found = metric(record, name);
    if (!found) {
      throw UserError(fmt::format("objective \"{}\": the evaluation has no {}", name_, name));
    }
    auto& value = values[name];
    value.scalar = *found;
    return &value;
  }};
  return number(expression_.evaluate(scope), name_);
}

} // namespace coulomb::search
