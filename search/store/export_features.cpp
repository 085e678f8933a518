// SPDX-License-Identifier: Apache-2.0
#include "base/eval/features.hpp"
#include "search/store/export.hpp"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace coulomb::search {
namespace {

/// Limits of the GPU that was searched for, as eval::device_numbers() has them; unknown where the
/// GPU itself was searched, too: then each evaluation has another one. Read by key and not as a
/// whole: older releases wrote fewer keys.
std::map<std::string, double> device_of(const SearchHeader& header) {
  std::map<std::string, double> device;
  const auto gpu = nlohmann::json::parse(header.gpu_json, nullptr, false);
  if (gpu.is_object() && header.gpu_genes.empty()) {
    for (const auto& [name, key] :
         {std::pair{"sms", "/sms"}, std::pair{"max_warps_per_sm", "/sm/max_warps"}}) {
      const nlohmann::json::json_pointer at(key);
      if (gpu.contains(at) && gpu.at(at).is_number()) {
        device[name] = gpu.at(at).get<double>();
      }
    }
  }
  return device;
}

eval::FeatureInputs inputs_of(const EvaluationRecord& e,
                              const std::map<std::string, double>& device) {
  eval::FeatureInputs inputs{e.counters, e.stalls, e.launch, e.code_mix};
  inputs.launch.insert(device.begin(), device.end());
  if (e.registers != 0) { // older journals have them without the rest
    inputs.launch["registers"] = e.registers;
  }
  if (e.status == eval::EvalStatus::ok) {
    inputs.launch["time_ms"] = e.time_ms;
  }
  return inputs;
}

} // namespace

std::vector<double> feature_values(const SearchRecords& records) {
  std::vector<double> values;
  values.reserve(records.evaluations.size() * eval::feature_table().size());
  const auto device = device_of(records.header);
  for (const EvaluationRecord& e : records.evaluations) {
    const auto row = eval::features(inputs_of(e, device));
    values.insert(values.end(), row.begin(), row.end());
  }
  return values;
}

std::string export_features(const SearchRecords& records) {
  std::string out = "id,status"; // time_ms is the first feature
  for (const eval::Feature& feature : eval::feature_table()) {
    out += fmt::format(",{}", feature.name);
  }
  out += '\n';
  const auto values = feature_values(records);
  auto value = values.begin();
  for (const EvaluationRecord& e : records.evaluations) {
    out += fmt::format("{},{}", e.id, eval::to_string(e.status));
    for (std::size_t i = 0; i < eval::feature_table().size(); ++i, ++value) {
      out += ',' + (std::isfinite(*value) ? fmt::to_string(*value) : std::string());
    }
    out += '\n';
  }
  return out;
}

} // namespace coulomb::search
