// SPDX-License-Identifier: Apache-2.0
#include "search/store/export.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coulomb::search {
namespace {

using Json = nlohmann::ordered_json;
using eval::EvalStatus;

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  }
  return quoted + '"';
}

Json configuration_object(const kernel::Configuration& configuration) {
  Json object = Json::object();
  for (const auto& [name, value] : configuration.entries()) {
    object[name] = kernel::to_json(value);
  }
  return object;
}

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json t4_result(const EvaluationRecord& e) {
  Json result;
  result["timestamp"] = e.finished;
  result["configuration"] = configuration_object(e.configuration);
  // Milliseconds, as T4's other tools write them. What we do not measure apart is left out.
  const bool ok = e.status == EvalStatus::ok;
  result["times"] = {{"compilation_time", e.compiler_s * 1e3},
                     {"runtimes", ok ? Json::array({e.time_ms}) : Json::array()}};
  result["invalidity"] = eval::t4_invalidity(e.status);
  result["correctness"] = ok ? 1 : 0;
  result["measurements"] = Json::array();
  if (ok) {
    result["measurements"].push_back({{"name", "time"}, {"value", e.time_ms}, {"unit", "ms"}});
  }
  result["objectives"] = Json::array({"time"});
  return result;
}

} // namespace

std::string export_csv(const SearchRecords& records) {
  std::string out = "id,origin,status,time_ms,cycles";
  for (const auto& parameter : records.header.parameters) {
    out += ',' + csv_text(parameter);
  }
  out += ",compile_s,sim_s,cubin_hash,message\n";
  for (const auto& e : records.evaluations) {
    const bool ok = e.status == EvalStatus::ok;
    out += fmt::format("{},{},{},{},{}", e.id, e.origin, eval::to_string(e.status),
                       ok ? fmt::to_string(e.time_ms) : "", ok ? fmt::to_string(e.cycles) : "");
    for (const auto& [name, value] : e.configuration.entries()) {
      out += ',' + csv_text(kernel::to_text(value));
    }
    out += fmt::format(",{},{},{},{}\n", e.compile_s, e.sim_s, e.cubin_hash, csv_text(e.message));
  }
  return out;
}

std::string export_json(const SearchRecords& records) {
  Json json = Json(to_json(records.header));
  json["stopped_by"] = records.stopped_by;
  json["evaluations"] = Json::array();
  for (const auto& e : records.evaluations) {
    Json entry = Json(to_json(e));
    entry["configuration"] = configuration_object(e.configuration);
    json["evaluations"].push_back(std::move(entry));
  }
  return dump(json);
}

std::string export_t4(const SearchRecords& records) {
  Json json;
  json["schema_version"] = "1.0.0";
  json["results"] = Json::array();
  for (const auto& e : records.evaluations) {
    json["results"].push_back(t4_result(e));
  }
  return dump(json);
}

} // namespace coulomb::search
