// SPDX-License-Identifier: Apache-2.0
#include "cli/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace coulomb::cli {
namespace {

using Input = Comparison::Input;

double value_of(const std::map<std::string, double>& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? 0.0 : found->second;
}

std::set<std::string> names_of(const std::map<std::string, double>& a,
                               const std::map<std::string, double>& b) {
  std::set<std::string> names;
  for (const auto* values : {&a, &b}) {
    for (const auto& [name, value] : *values) {
      names.insert(name);
    }
  }
  return names;
}

void add_differences(Input::Kind kind,
                     const nlohmann::json& a,
                     const nlohmann::json& b,
                     std::vector<Input>& inputs) {
  std::set<std::string> keys;
  for (const auto* object : {&a, &b}) {
    for (const auto& [key, value] : object->items()) {
      keys.insert(key);
    }
  }
  for (const std::string& key : keys) {
    const nlohmann::json old_value = a.value(key, nlohmann::json());
    const nlohmann::json new_value = b.value(key, nlohmann::json());
    if (old_value != new_value) {
      inputs.push_back({kind, key, old_value, new_value, std::nullopt});
    }
  }
}

/// The larger of both runs' counts: a key is exercised if either run used it.
std::map<std::string, double> larger(const SavedRun& a, const SavedRun& b) {
  std::map<std::string, double> most;
  for (const std::string& name : names_of(a.counters, b.counters)) {
    most[name] = std::max(value_of(a.counters, name), value_of(b.counters, name));
  }
  return most;
}

double relative_difference(const Comparison::Counter& c) {
  const double scale = std::max(std::abs(c.a), std::abs(c.b));
  return scale > 0.0 ? std::abs(c.b - c.a) / scale : 0.0;
}

} // namespace

std::optional<double> Comparison::Counter::change() const {
  return a == 0.0 ? std::nullopt : std::optional<double>((b - a) / a);
}

Comparison compare_runs(const SavedRun& a, const SavedRun& b) {
  Comparison out;
  const nlohmann::json run_a = {{"kernel", a.kernel}, {"gpu", a.gpu}, {"rung", a.rung}};
  const nlohmann::json run_b = {{"kernel", b.kernel}, {"gpu", b.gpu}, {"rung", b.rung}};
  add_differences(Input::Kind::run, run_a, run_b, out.inputs);
  add_differences(Input::Kind::kernel_parameter, a.parameters, b.parameters, out.inputs);
  add_differences(Input::Kind::gpu_parameter, a.gpu_parameters, b.gpu_parameters, out.inputs);
  const auto most = larger(a, b);
  for (Input& input : out.inputs) {
    if (input.kind == Input::Kind::gpu_parameter) {
      input.use = key_use(input.key, most);
    }
  }
  for (const std::string& reason : names_of(a.stalls, b.stalls)) {
    const double share_a = value_of(a.stalls, reason);
    const double share_b = value_of(b.stalls, reason);
    out.stalls.push_back({reason, share_a, share_b, share_b * b.cycles - share_a * a.cycles});
  }
  std::ranges::stable_sort(out.stalls, [](const auto& x, const auto& y) {
    return std::abs(x.cycles) > std::abs(y.cycles);
  });
  for (const std::string& name : names_of(a.counters, b.counters)) {
    const Comparison::Counter c{name, value_of(a.counters, name), value_of(b.counters, name)};
    if (c.a != c.b) {
      out.counters.push_back(c);
    }
  }
  std::ranges::stable_sort(out.counters, [](const auto& x, const auto& y) {
    return relative_difference(x) > relative_difference(y);
  });
  return out;
}

const char* to_string(Input::Kind kind) {
  switch (kind) {
  case Input::Kind::run:
    return "run";
  case Input::Kind::kernel_parameter:
    return "kernel parameter";
  case Input::Kind::gpu_parameter:
    break;
  }
  return "GPU parameter";
}

} // namespace coulomb::cli
