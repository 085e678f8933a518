// SPDX-License-Identifier: Apache-2.0
#include "cli/json_output.hpp"

#include "base/eval/features.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace coulomb::cli {
namespace {

using Json = nlohmann::ordered_json;

Json dim3_json(const Dim3& d) {
  return {d.x, d.y, d.z};
}

/// A number that means something only when the kernel was timed.
Json number_or_null(bool known, double value) {
  return known ? Json(value) : Json(nullptr);
}

Json launch_json(const search::Evaluation& e, bool simulated) {
  const eval::SimOutcome& s = e.sim;
  const auto count = [simulated](auto value) { return simulated ? Json(value) : Json(nullptr); };
  Json launch;
  const bool known = e.status != eval::EvalStatus::restricted;
  launch["grid"] = known ? dim3_json(e.launch.grid) : Json(nullptr);
  launch["block"] = known ? dim3_json(e.launch.block) : Json(nullptr);
  launch["registers"] = count(s.registers);
  launch["shared_bytes"] = count(s.static_shared_bytes + s.dynamic_shared_bytes);
  launch["spill_bytes"] = count(s.spill_bytes);
  launch["occupancy"] = {{"ctas_per_sm", count(s.occupancy.ctas_per_sm)},
                         {"warps_per_sm", count(s.occupancy.warps_per_sm)},
                         {"limiter", count(s.occupancy.limiter)}};
  return launch;
}

Json output_check_json(const eval::OutputCheck& check) {
  Json j;
  j["checked"] = check.checked;
  j["passed"] = check.checked ? Json(check.passed) : Json(nullptr);
  j["max_rel_error"] = number_or_null(check.checked, check.max_rel_error);
  j["compared"] = check.compared;
  j["reference"] = check.reference.empty() ? Json(nullptr) : Json(check.reference);
  if (!check.first_difference.empty()) {
    j["first_difference"] = check.first_difference;
  }
  return j;
}

} // namespace

bool wants_json(const std::vector<std::string>& args) {
  return std::ranges::find(args, "--json") != args.end();
}

std::string error_json(const Error& error) {
  const Json j = {
      {"error", {{"kind", error.kind()}, {"message", error.what()}, {"hint", error.hint()}}}};
  return j.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json expected_error_json(const std::optional<calibration::ExpectedError>& expected) {
  if (!expected) {
    return nullptr;
  }
  const eval::Character& c = expected->character;
  const auto figure = [](const std::optional<double>& x) { return x ? Json(*x) : Json(nullptr); };
  return {
      {"character",
       {{"limiter", c.limiter}, {"utilization", c.utilization}, {"local_memory", c.local_memory}}},
      {"measured", expected->measured},
      {"median", figure(expected->median)},
      {"p90", figure(expected->p90)},
      {"same_architecture", expected->same_architecture},
      {"sources", expected->sources.empty() ? Json::object() : Json(expected->sources)}};
}

Json features_json(const search::Evaluation& e, const config::GpuConfig& gpu) {
  const std::vector<double> values = eval::features_of(e.sim, e.launch, gpu);
  Json j = Json::object();
  for (std::size_t i = 0; i < values.size(); ++i) {
    j[std::string(eval::feature_table()[i].name)] =
        number_or_null(std::isfinite(values[i]), values[i]);
  }
  return j;
}

Json run_result_json(const search::Evaluation& e,
                     const std::string& kernel,
                     const std::string& gpu,
                     const Json& more) {
  const eval::SimOutcome& s = e.sim;
  const bool simulated = s.ctas_total > 0;
  const bool timed = s.cycles > 0.0;
  Json j;
  j["schema"] = kJsonSchema;
  j["version"] = COULOMB_VERSION;
  j["kernel"] = kernel;
  j["gpu"] = gpu;
  Json params = Json::object();
  for (const auto& [name, value] : e.configuration.entries()) {
    params[name] = kernel::to_json(value);
  }
  j["params"] = std::move(params);
  j["status"] = eval::to_string(e.status);
  if (!e.message.empty()) {
    j["message"] = e.message;
  }
  j["launch"] = launch_json(e, simulated);
  j["time_ms"] = number_or_null(timed, s.time_ms);
  j["launch_overhead_ms"] = number_or_null(timed, s.launch_overhead_ms);
  j["cycles"] = number_or_null(timed, s.cycles);
  j["ipc"] = number_or_null(timed, s.ipc);
  j["counters"] = s.counters;
  j["stalls"] = s.stalls;
  j["output_check"] = output_check_json(s.output_check);
  j["printed"] = s.printed;
  j["findings"] = Json::array();
  for (const eval::Finding& f : s.findings) {
    j["findings"].push_back(Json(eval::finding_json(f)));
  }
  j["fidelity"] = {{"rung", simulated ? Json(s.rung) : Json(nullptr)},
                   {"sms", s.sms},
                   {"ctas_simulated", s.ctas_simulated},
                   {"ctas_total", s.ctas_total}};
  j["host"] = {{"compile_s", e.compile_s},
               {"wall_s", s.wall_s},
               {"model_s", s.model_s},
               {"warp_insts", s.warp_insts},
               {"warp_insts_per_s",
                number_or_null(s.model_s > 0.0, static_cast<double>(s.warp_insts) / s.model_s)},
               {"peak_rss_bytes", s.peak_rss_bytes}};
  j.update(more);
  return j;
}

std::string json_text(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace coulomb::cli
