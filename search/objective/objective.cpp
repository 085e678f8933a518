// SPDX-License-Identifier: Apache-2.0
#include "search/objective/objective.hpp"

#include "base/error.hpp"
#include "search/objective/metric.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace coulomb::search {
namespace {

constexpr std::string_view kMaximise = "max ";

/// Words that stand for a whole objective.
struct Word {
  std::string_view word;
  std::string_view metric;
  const char* unit;
};
constexpr std::array kWords = {
    Word{"time", "time_ms", "ms"},
    Word{"energy", "energy_mj", "mJ"},
    Word{"edp", "edp", "mJ ms"},
    Word{"power", "power_w", "W"},
    Word{"temperature", "temperature_c", "C"},
    Word{"area", "area_mm2", "mm2"},
};

const Word* word_of(const std::string& text) {
  const auto* found =
      std::find_if(kWords.begin(), kWords.end(), [&](const Word& w) { return w.word == text; });
  return found == kWords.end() ? nullptr : found;
}

std::string spelled_out(const std::string& text) {
  const Word* word = word_of(text);
  return word == nullptr ? text : std::string(word->metric);
}

std::optional<double> number(const kernel::ExpressionValue& value) {
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
  return std::nullopt;
}

/// False if it gives a list or a text, whatever the metrics are.
bool gives_a_number(const kernel::Expression& expression) {
  kernel::ExpressionValue any;
  any.scalar = 1.25;
  const kernel::Scope scope{.lookup = [&](const std::string&) { return &any; }};
  try {
    return number(expression.evaluate(scope)).has_value();
  } catch (const UserError&) {
    return true; // a matter of values: a division by zero, say
  }
}

} // namespace

const char* Objective::unit() const {
  const Word* word = word_of(name_);
  return word == nullptr ? "" : word->unit;
}

Objective Objective::parse(const std::string& text) {
  Objective objective;
  objective.name_ = text;
  objective.maximised_ = text.starts_with(kMaximise);
  const std::string rest = objective.maximised_ ? text.substr(kMaximise.size()) : text;
  objective.expression_ = kernel::Expression::parse(spelled_out(rest));
  if (objective.metrics().empty()) {
    throw UserError(
        fmt::format("objective \"{}\" names no metric: every configuration is equal", text),
        "e.g. time, or \"max ipc\"");
  }
  if (!gives_a_number(objective.expression_)) {
    throw UserError(fmt::format("objective \"{}\" is not a number", text),
                    "max(a, b) without a space is the larger one; \"max EXPRESSION\" maximises");
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
  const auto value = number(expression_.evaluate(scope));
  if (!value) {
    throw UserError(fmt::format("objective \"{}\" is not a number", name_));
  }
  return *value;
}

} // namespace coulomb::search
