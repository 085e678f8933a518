// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/conditional_parameters.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace coulomb::kernel {
namespace {

/// A value as an expression writes it.
std::string literal(const ParameterValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) {
    return to_text(value);
  }
  const char quote = text->find('\'') == std::string::npos ? '\'' : '"';
  if (text->find(quote) != std::string::npos) {
    throw UserError(fmt::format("the default {} has both kinds of quotes in it", *text));
  }
  return fmt::format("{}{}{}", quote, *text, quote);
}

using Dependencies = std::map<std::string, std::vector<std::string>>;

/// The way from `from` back to `to`, "a, b, a"; empty if there is none.
std::string path_back(const Dependencies& dependencies,
                      const std::string& from,
                      const std::string& to,
                      std::vector<std::string> way) {
  const auto at = dependencies.find(from);
  if (at == dependencies.end() || std::count(way.begin(), way.end(), from) > 1) {
    return {};
  }
  for (const std::string& next : at->second) {
    std::vector<std::string> longer = way;
    longer.push_back(next);
    if (next == to) {
      return fmt::format("{}", fmt::join(longer, ", "));
    }
    const std::string found = path_back(dependencies, next, to, longer);
    if (!found.empty()) {
      return found;
    }
  }
  return {};
}

} // namespace

Expression spec_expression(const TunableSpec& spec, const std::string& text) {
  Expression expression = Expression::parse(text);
  const std::vector<std::string> known = spec.known_names();
  for (const std::string& name : expression.names()) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw UserError(fmt::format("\"{}\" uses the unknown name \"{}\"{}; known: {}", text, name,
                                  did_you_mean(name, known), fmt::join(known, ", ")));
    }
  }
  return expression;
}

void add_conditions(TunableSpec& spec,
                    const std::vector<Condition>& conditions,
                    const std::function<void(std::size_t, const std::string&)>& wrong) {
  Dependencies dependencies;
  std::vector<std::optional<Restriction>> restrictions;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const Condition& c = conditions[i];
    restrictions.emplace_back();
    try {
      dependencies[c.parameter] = spec_expression(spec, c.when).names();
      const std::string value = literal(spec.find(c.parameter)->default_value);
      restrictions.back() = {
          fmt::format("{} == {} unless {}", c.parameter, value, c.when),
          Expression::parse(fmt::format("({}) or {} == {}", c.when, c.parameter, value))};
    } catch (const UserError& e) {
      wrong(i, e.what());
    }
  }
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const std::string& name = conditions[i].parameter;
    const std::string cycle = path_back(dependencies, name, name, {name});
    if (!cycle.empty()) {
      wrong(i, fmt::format("depends on itself: {}", cycle));
    } else if (restrictions[i]) {
      spec.restrictions.push_back(*restrictions[i]);
    }
  }
}

} // namespace coulomb::kernel
