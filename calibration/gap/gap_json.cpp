// SPDX-License-Identifier: Apache-2.0
#include "calibration/gap/gap_model.hpp"

#include "base/error.hpp"
#include "base/eval/features.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace coulomb::calibration {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kVersion = 2;
constexpr const char* kFormat = "coulomb gap model";

Json observation_json(const Observation& o, const std::vector<GapInput>& inputs, double trust) {
  Json j = {{"board", o.board}, {"spec", o.spec}, {"row", o.row}};
  j["parameters"] = Json::object();
  for (const auto& [name, value] : o.parameters.entries()) {
    j["parameters"][name] = Json(kernel::to_json(value));
  }
  j["silicon_ms"] = o.silicon_ms;
  j["silicon_noise"] = o.silicon_noise;
  j["sim_ms"] = o.sim_ms;
  j["trust"] = trust;
  j["features"] = Json::array();
  for (const GapInput& input : inputs) {
    const double value = o.features[input.feature];
    j["features"].push_back(std::isfinite(value) ? Json(value) : Json(nullptr));
  }
  return j;
}

kernel::ParameterValue parameter_value(const Json& value) {
  if (value.is_boolean()) {
    return value.get<bool>();
  }
  if (value.is_number_integer()) {
    return value.get<std::int64_t>();
  }
  return value.is_number() ? kernel::ParameterValue(value.get<double>())
                           : kernel::ParameterValue(value.get<std::string>());
}

Observation read_observation(const Json& j, const std::vector<GapInput>& inputs) {
  Observation o;
  o.board = j.at("board").get<std::string>();
  o.spec = j.at("spec").get<std::string>();
  o.row = j.at("row").get<std::size_t>();
  std::vector<kernel::Configuration::Entry> entries;
  for (const auto& [name, value] : j.at("parameters").items()) {
    entries.emplace_back(name, parameter_value(value));
  }
  o.parameters = kernel::Configuration(std::move(entries));
  o.silicon_ms = j.at("silicon_ms").get<double>();
  o.silicon_noise = j.at("silicon_noise").get<double>();
  o.sim_ms = j.at("sim_ms").get<double>();
  o.features.assign(eval::feature_table().size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t d = 0; d < inputs.size(); ++d) {
    if (const Json& value = j.at("features").at(d); !value.is_null()) {
      o.features[inputs[d].feature] = value.get<double>();
    }
  }
  return o;
}

void check_header(const Json& json, const std::string& where) {
  if (!json.is_object() || json.value("format", Json()) != kFormat) {
    throw UserError(fmt::format("{}: this is no gap model", where),
                    "coulomb calibrate gap OBSERVATIONS --out FILE writes one");
  }
  if (json.value("version", Json()) != kVersion) {
    throw UserError(fmt::format("{}: version {} of the gap model; this program reads version {}",
                                where, json.value("version", Json()).dump(), kVersion),
                    "fit the model anew: coulomb calibrate gap OBSERVATIONS --out FILE");
  }
}

Eigen::VectorXd vector_of(const Json& json, std::size_t size, const std::string& what) {
  const auto values = json.get<std::vector<double>>();
  if (values.size() != size) {
    throw UserError(fmt::format("{}: {} numbers; needed: {}", what, values.size(), size));
  }
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(size));
}

} // namespace

Json GapModel::to_json() const {
  Json j = {{"format", kFormat}, {"version", kVersion}, {"model_hash", settings_.model_hash}};
  j["settings"] = {{"iterations", settings_.iterations},
                   {"fitted_points", settings_.fitted_points}};
  j["explored_within"] = explored_within_;
  j["inputs"] = Json::array();
  for (std::size_t d = 0; d < inputs().size(); ++d) {
    const GapInput& input = inputs()[d];
    j["inputs"].push_back({{"feature", input.name},
                           {"transform", to_string(input.transform)},
                           {"resolution", input.resolution},
                           {"mean", frame_.means()[d]},
                           {"scale", frame_.scales()[d]},
                           {"length", hyperparameters_.lengths[static_cast<Eigen::Index>(d)]}});
  }
  j["parts"] = Json::array();
  for (std::size_t p = 0; p < kGapParts.size(); ++p) {
    j["parts"].push_back(
        {{"name", kGapParts[p].name},
         {"amplitude", hyperparameters_.amplitudes[static_cast<Eigen::Index>(p)]}});
  }
  j["configuration_length"] = hyperparameters_.configuration_length;
  j["noise"] = hyperparameters_.noise;
  j["noises"] = std::vector<double>(hyperparameters_.noises.begin(), hyperparameters_.noises.end());
  j["observations"] = Json::array();
  for (std::size_t i = 0; i < observations_.size(); ++i) {
    j["observations"].push_back(
        observation_json(observations_[i], inputs(), targets_.trust[static_cast<Eigen::Index>(i)]));
  }
  return j;
}

GapModel GapModel::from_json(const Json& json, const std::string& where) {
  check_header(json, where);
  try {
    std::vector<GapInput> inputs;
    std::vector<double> means;
    std::vector<double> scales;
    std::vector<double> lengths;
    for (const Json& j : json.at("inputs")) {
      inputs.push_back(make_gap_input(j.at("feature").get<std::string>(),
                                      j.at("transform").get<std::string>(),
                                      j.at("resolution").get<double>(), where));
      means.push_back(j.at("mean").get<double>());
      scales.push_back(j.at("scale").get<double>());
      lengths.push_back(j.at("length").get<double>());
    }
    std::vector<double> amplitudes;
    for (const Json& j : json.at("parts")) {
      amplitudes.push_back(j.at("amplitude").get<double>());
    }
    std::vector<Observation> observations;
    std::vector<double> trust;
    for (const Json& j : json.at("observations")) {
      observations.push_back(read_observation(j, inputs));
      trust.push_back(j.at("trust").get<double>());
    }
    const Json& s = json.at("settings");
    GapFrame frame(std::move(inputs), std::move(means), std::move(scales), observations);
    GapModel model(std::move(frame), std::move(observations),
                   {.iterations = s.at("iterations").get<int>(),
                    .fitted_points = s.at("fitted_points").get<std::size_t>(),
                    .model_hash = json.at("model_hash").get<std::string>()});
    model.hyperparameters_ = {
        vector_of(amplitudes, kGapParts.size(), where + ": parts"),
        vector_of(lengths, lengths.size(), where), json.at("configuration_length").get<double>(),
        json.at("noise").get<double>(),
        vector_of(json.at("noises"), model.frame_.pairs(), where + ": noises")};
    model.targets_.trust = vector_of(trust, trust.size(), where);
    model.explored_within_ = json.at("explored_within").get<double>();
    model.condition();
    return model;
  } catch (const nlohmann::json::exception& e) {
    throw UserError(fmt::format("{}: the gap model is damaged: {}", where, e.what()));
  }
}

} // namespace coulomb::calibration
