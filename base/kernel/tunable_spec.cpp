// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/tunable_spec.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <set>

namespace coulomb::kernel {
namespace {

constexpr const char* kProblemSize = "ProblemSize";
// What the launch interfaces can express at all; the limits of a chip are its model's business.
constexpr std::int64_t kMaxExtent = std::numeric_limits<std::int32_t>::max();

ExpressionValue make_list(const std::vector<ParameterValue>& values) {
  ExpressionValue list;
  list.is_list = true;
  for (const ParameterValue& v : values) {
    list.list.push_back({v, {}, false});
  }
  return list;
}

/// What a configuration's scope owns.
struct Names {
  std::map<std::string, ExpressionValue, std::less<>> values;
  std::map<std::string, ExpressionValue, std::less<>> lists;
};

/// `text` read as a number, or nothing.
std::optional<double> as_number(const std::string& text) {
  double value = 0.0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc{} && result.ptr == text.data() + text.size()
             ? std::optional<double>(value)
             : std::nullopt;
}

bool matches(const ParameterValue& value, const std::string& text) {
  if (to_text(value) == text) {
    return true;
  }
  if (const auto* b = std::get_if<bool>(&value)) {
    return text == (*b ? "True" : "False") || text == (*b ? "1" : "0");
  }
  const auto number = as_number(text);
  if (const auto* d = std::get_if<double>(&value)) {
    return number && *number == *d;
  }
  if (const auto* i = std::get_if<std::int64_t>(&value)) {
    return number && *number == static_cast<double>(*i);
  }
  return false;
}

std::string value_list(const TunableParameter& parameter) {
  std::vector<std::string> texts;
  std::transform(parameter.values.begin(), parameter.values.end(), std::back_inserter(texts),
                 to_text);
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::uint32_t extent(std::int64_t value, const std::string& what) {
  if (value < 1 || value > kMaxExtent) {
    throw UserError(fmt::format("{} is {}; allowed: 1 to {}", what, value, kMaxExtent));
  }
  return static_cast<std::uint32_t>(value);
}

std::int64_t divide_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

std::int64_t evaluate(const std::string& text, const Scope& names) {
  return Expression::parse(text).evaluate_int(names);
}

double evaluate_number(const std::string& text, const Scope& names) {
  const ExpressionValue v = Expression::parse(text).evaluate(names);
  if (!v.is_list) {
    if (const auto* d = std::get_if<double>(&v.scalar)) {
      return *d;
    }
    if (const auto* i = std::get_if<std::int64_t>(&v.scalar)) {
      return static_cast<double>(*i);
    }
  }
  throw UserError(fmt::format("\"{}\" is not a number", text));
}

} // namespace

const TunableParameter* TunableSpec::find(const std::string& parameter) const {
  for (const TunableParameter& p : parameters) {
    if (p.name == parameter) {
      return &p;
    }
  }
  return nullptr;
}

std::vector<std::string> TunableSpec::known_names() const {
  std::vector<std::string> names;
  for (const TunableParameter& p : parameters) {
    names.push_back(p.name);
  }
  if (!problem_size.empty()) {
    names.emplace_back(kProblemSize);
  }
  for (const auto& constant : constants) {
    names.push_back(constant.first);
  }
  return names;
}

Configuration TunableSpec::default_configuration() const {
  std::vector<Configuration::Entry> entries;
  for (const TunableParameter& p : parameters) {
    entries.emplace_back(p.name, p.default_value);
  }
  return Configuration(std::move(entries));
}

Configuration TunableSpec::configuration(const std::vector<std::string>& assignments) const {
  Configuration c = default_configuration();
  std::set<std::string> given;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UserError(fmt::format("\"{}\" is not of the form name=value", assignment),
                      "write for example block_size_x=32");
    }
    const std::string parameter_name = assignment.substr(0, equals);
    const std::string text = assignment.substr(equals + 1);
    const TunableParameter* parameter = find(parameter_name);
    if (parameter == nullptr) {
      std::vector<std::string> names;
      for (const TunableParameter& p : parameters) {
        names.push_back(p.name);
      }
      throw UserError(fmt::format("kernel {} has no parameter \"{}\"{}; it has: {}", name,
                                  parameter_name, did_you_mean(parameter_name, names),
                                  fmt::join(names, ", ")));
    }
    if (!given.insert(parameter_name).second) {
      throw UserError(fmt::format("parameter \"{}\" is given twice", parameter_name));
    }
    const auto value = std::find_if(parameter->values.begin(), parameter->values.end(),
                                    [&](const ParameterValue& v) { return matches(v, text); });
    if (value == parameter->values.end()) {
      throw UserError(fmt::format("{}={} is not a value of kernel {}; allowed: {}", parameter_name,
                                  text, name, value_list(*parameter)));
    }
    c.set(parameter_name, *value);
  }
  return c;
}

Scope TunableSpec::scope(const Configuration& c) const {
  auto names = std::make_shared<Names>();
  for (const auto& [constant, value] : constants) {
    names->values[constant].scalar = value; // a parameter of the same name goes before it
  }
  for (const auto& [parameter, value] : c.entries()) {
    names->values[parameter].scalar = value;
  }
  if (!problem_size.empty()) {
    names->values[kProblemSize] =
        make_list(std::vector<ParameterValue>(problem_size.begin(), problem_size.end()));
  }
  for (const TunableParameter& p : parameters) {
    names->lists[p.name] = make_list(p.values);
  }
  const auto in = [](const auto& table, const std::string& key) -> const ExpressionValue* {
    const auto it = table.find(key);
    return it == table.end() ? nullptr : &it->second;
  };
  return {[names, in](const std::string& n) { return in(names->values, n); },
          [names, in](const std::string& n) { return in(names->lists, n); }};
}

std::optional<std::string> TunableSpec::violated_restriction(const Configuration& c) const {
  const Scope names = scope(c);
  for (const Restriction& r : restrictions) {
    if (!r.expression.evaluate_bool(names)) {
      return r.text;
    }
  }
  return std::nullopt;
}

Dim3 TunableSpec::grid(const Scope& names, Dim3 block) const {
  const std::uint32_t threads[3] = {block.x, block.y, block.z};
  std::uint32_t extents[3] = {1, 1, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    std::int64_t size = 1;
    if (sizes.grid_div[i]) {
      size = i < problem_size.size() ? problem_size[i] : 1;
      std::int64_t divisor = 1;
      for (const std::string& d : *sizes.grid_div[i]) {
        divisor *= extent(evaluate(d, names), fmt::format("grid divisor \"{}\"", d));
      }
      size = divide_up(size, divisor);
    } else {
      size = evaluate(sizes.global[i], names);
      size = sizes.global_size_type == "OpenCL" ? divide_up(size, threads[i]) : size;
    }
    extents[i] = extent(size, fmt::format("kernel {}: grid size {}", name, "xyz"[i]));
  }
  return {extents[0], extents[1], extents[2]};
}

Launch TunableSpec::launch(const Configuration& c) const {
  if (!cannot_launch.empty()) {
    throw UserError(fmt::format("kernel {} cannot be launched: {}", name, cannot_launch));
  }
  const Scope names = scope(c);
  Launch made;
  std::uint32_t block[3];
  for (std::size_t i = 0; i < 3; ++i) {
    block[i] = extent(evaluate(sizes.local[i], names),
                      fmt::format("kernel {}: block size {}", name, "xyz"[i]));
  }
  made.block = {block[0], block[1], block[2]};
  made.grid = grid(names, made.block);
  const std::int64_t shared = evaluate(sizes.shared_bytes, names);
  if (shared < 0 || shared > kMaxExtent) {
    throw UserError(fmt::format("kernel {}: dynamic shared memory is {} bytes; allowed: 0 to {}",
                                name, shared, kMaxExtent));
  }
  made.dynamic_shared_bytes = static_cast<std::uint32_t>(shared);
  for (const ArgumentTemplate& t : argument_templates) {
    Argument argument = t.argument;
    const std::int64_t count = evaluate(t.count_expression, names);
    if (count < 1) {
      throw UserError(fmt::format("kernel {}: argument \"{}\" has size {} (\"{}\")", name,
                                  argument.name, count, t.count_expression));
    }
    argument.count = static_cast<std::uint64_t>(count);
    if (!t.value_expression.empty()) {
      argument.fill.value = evaluate_number(t.value_expression, names);
    }
    made.arguments.push_back(std::move(argument));
  }
  return made;
}

std::vector<std::string> TunableSpec::macro_options(const Configuration& c) const {
  std::vector<std::string> options;
  for (const auto& [parameter, value] : c.entries()) {
    const auto* known = find(parameter);
    if (known != nullptr && known->gpu_key) {
      continue;
    }
    const auto* flag = std::get_if<bool>(&value);
    // A flag must be usable in #if.
    const std::string text = flag == nullptr ? to_text(value) : std::to_string(*flag ? 1 : 0);
    options.push_back(fmt::format("-D{}={}", parameter, text));
  }
  return options;
}

} // namespace coulomb::kernel
