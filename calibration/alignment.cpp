// SPDX-License-Identifier: Apache-2.0
#include "calibration/alignment.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <optional>

namespace coulomb::calibration {
namespace {

using kernel::Configuration;
using kernel::ParameterValue;
using kernel::TunableParameter;

std::optional<double> as_number(const ParameterValue& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) {
    return static_cast<double>(*i);
  }
  if (const auto* d = std::get_if<double>(&value)) {
    return *d;
  }
  if (const auto* b = std::get_if<bool>(&value)) {
    return *b ? 1.0 : 0.0;
  }
  return std::nullopt;
}

/// Tables write 1 where a spec may write true or 1.0.
bool same_value(const ParameterValue& a, const ParameterValue& b) {
  const auto x = as_number(a);
  const auto y = as_number(b);
  return x && y ? *x == *y : a == b;
}

void check_problem(const results::SiliconTable& table, const kernel::TunableSpec& spec) {
  const auto& stated = table.metadata.problem_size;
  if (stated != spec.problem_size) {
    throw UserError(
        fmt::format("{} was measured on problem size [{}], but {} has [{}]", table.path,
                    fmt::join(stated, ", "), spec.origin, fmt::join(spec.problem_size, ", ")),
        fmt::format("use a spec of the same problem, or correct kernel.problem_size in {}",
                    table.metadata.path));
  }
}

void check_parameters(const results::SiliconTable& table, const kernel::TunableSpec& spec) {
  const auto& meta = table.metadata;
  std::vector<std::string> stated = meta.parameters;
  for (const auto& [name, value] : meta.defaults) {
    stated.push_back(name);
  }
  std::vector<std::string> known;
  for (const auto& p : spec.parameters) {
    known.push_back(p.name);
    if (std::find(stated.begin(), stated.end(), p.name) == stated.end()) {
      throw UserError(fmt::format("{} says nothing about parameter {} of {}{}", meta.path, p.name,
                                  spec.name, did_you_mean(p.name, stated)),
                      "name its column in kernel.parameters, or its value in kernel.defaults");
    }
  }
  for (const auto& name : stated) {
    if (spec.find(name) == nullptr) {
      throw UserError(fmt::format("{}: {} is not a parameter of {}{}", meta.path, name, spec.name,
                                  did_you_mean(name, known)),
                      fmt::format("parameters of {}: {}", spec.name, fmt::join(known, ", ")));
    }
  }
}

/// The row as a point of the spec's space, or nothing if the spec does not list one of its values.
std::optional<Configuration> configuration_of(const Configuration& row,
                                              const std::vector<TunableParameter>& parameters) {
  std::vector<Configuration::Entry> entries;
  entries.reserve(parameters.size());
  for (const auto& p : parameters) {
    const ParameterValue* found = row.find(p.name);
    COULOMB_CHECK(found != nullptr, "row lacks parameter {}", p.name);
    const auto it = std::find_if(p.values.begin(), p.values.end(),
                                 [&](const ParameterValue& v) { return same_value(v, *found); });
    if (it == p.values.end()) {
      return std::nullopt;
    }
    entries.emplace_back(p.name, *it);
  }
  return Configuration(std::move(entries));
}

} // namespace

results::SiliconTable align(results::SiliconTable table, const kernel::TunableSpec& spec) {
  check_problem(table, spec);
  check_parameters(table, spec);
  for (auto& row : table.rows) {
    if (auto c = configuration_of(row.parameters, spec.parameters)) {
      row.parameters = std::move(*c);
    } else {
      row.exclusion = kOutsideSpace;
    }
  }
  return table;
}

} // namespace coulomb::calibration
