// SPDX-License-Identifier: Apache-2.0
#include "search/store/evaluation_record.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace coulomb::search {
namespace {

using Json = nlohmann::json;

kernel::ParameterValue value_from_json(const Json& json) {
  if (json.is_boolean()) {
    return json.get<bool>();
  }
  if (json.is_number_integer()) {
    return json.get<std::int64_t>();
  }
  if (json.is_number()) {
    return json.get<double>();
  }
  return json.get<std::string>();
}

/// An array of pairs: JSON objects do not keep the spec's order.
Json configuration_to_json(const kernel::Configuration& configuration) {
  Json pairs = Json::array();
  for (const auto& [name, value] : configuration.entries()) {
    pairs.push_back(Json::array({name, kernel::to_json(value)}));
  }
  return pairs;
}

kernel::Configuration configuration_from_json(const Json& pairs) {
  std::vector<kernel::Configuration::Entry> entries;
  for (const auto& pair : pairs) {
    entries.emplace_back(pair.at(0).get<std::string>(), value_from_json(pair.at(1)));
  }
  return kernel::Configuration(std::move(entries));
}

} // namespace

nlohmann::json to_json(const EvaluationRecord& r) {
  Json json = {{"id", r.id},
               {"origin", r.origin},
               {"configuration", configuration_to_json(r.configuration)},
               {"status", eval::to_string(r.status)},
               {"cubin_hash", r.cubin_hash},
               {"compiler_s", r.compiler_s},
               {"compile_s", r.compile_s},
               {"sim_s", r.sim_s},
               {"finished", r.finished}};
  if (r.status == eval::EvalStatus::ok) {
    json.update({{"time_ms", r.time_ms}, {"cycles", r.cycles}, {"ipc", r.ipc}});
  }
  if (!r.message.empty()) {
    json["message"] = r.message;
  }
  if (r.registers != 0) {
    json["registers"] = r.registers;
  }
  if (!r.counters.empty()) {
    json["counters"] = r.counters;
  }
  if (!r.stalls.empty()) {
    json["stalls"] = r.stalls;
  }
  if (!r.launch.empty()) {
    json["launch"] = r.launch;
  }
  if (!r.code_mix.empty()) {
    json["code_mix"] = r.code_mix;
  }
  if (!r.code.empty()) {
    json["code"] = r.code;
  }
  return json;
}

EvaluationRecord evaluation_from_json(const nlohmann::json& json) {
  try {
    EvaluationRecord r;
    json.at("id").get_to(r.id);
    r.origin = json.value("origin", std::string()); // schema 1 has none
    r.configuration = configuration_from_json(json.at("configuration"));
    r.status = eval::status_from_string(json.at("status").get<std::string>());
    if (r.status == eval::EvalStatus::ok) {
      json.at("time_ms").get_to(r.time_ms);
      json.at("cycles").get_to(r.cycles);
      json.at("ipc").get_to(r.ipc);
    }
    json.at("cubin_hash").get_to(r.cubin_hash);
    json.at("compiler_s").get_to(r.compiler_s);
    json.at("compile_s").get_to(r.compile_s);
    json.at("sim_s").get_to(r.sim_s);
    json.at("finished").get_to(r.finished);
    r.message = json.value("message", std::string());
    r.registers = json.value("registers", 0U);
    r.counters = json.value("counters", r.counters);
    r.stalls = json.value("stalls", r.stalls);
    r.launch = json.value("launch", r.launch);
    r.code_mix = json.value("code_mix", r.code_mix);
    r.code = json.value("code", std::string());
    if (const auto same = json.find("same_as"); same != json.end()) { // schema 1 has it, not `code`
      r.same_as = same->get<std::uint64_t>();
    }
    return r;
  } catch (const nlohmann::json::exception& e) {
    throw UserError(fmt::format("not an evaluation record: {}", e.what()));
  }
}

void link_equal_code(std::vector<EvaluationRecord>& evaluations) {
  std::stable_sort(evaluations.begin(), evaluations.end(),
                   [](const auto& a, const auto& b) { return a.id < b.id; });
  std::unordered_map<std::string_view, EvaluationRecord*> first;
  for (EvaluationRecord& record : evaluations) {
    if (record.code.empty()) {
      continue;
    }
    const auto [at, inserted] = first.try_emplace(record.code, &record);
    if (!inserted) {
      record.same_as = at->second->id;
      at->second->sim_s += std::exchange(record.sim_s, 0.0);
    }
  }
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

} // namespace coulomb::search
