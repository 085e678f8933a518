// SPDX-License-Identifier: Apache-2.0
#include "calibration/report.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace coulomb::calibration {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json word(eval::EvalStatus status) {
  return std::string(eval::to_string(status));
}

Json sample_json(const Sample& sample) {
  Json deciles = Json::array();
  for (const auto& d : sample.deciles) {
    deciles.push_back({{"from_ms", d.available > 0 ? Json(d.from_ms) : Json(nullptr)},
                       {"to_ms", d.available > 0 ? Json(d.to_ms) : Json(nullptr)},
                       {"available", d.available},
                       {"drawn", d.drawn}});
  }
  return {{"requested", sample.request.count},
          {"eligible", sample.eligible},
          {"drawn_eligible", sample.drawn_eligible},
          {"failing", sample.failing},
          {"drawn_failing", sample.drawn_failing},
          {"drawn_failing_by_status", sample.drawn_failing_by_status},
          {"deciles", std::move(deciles)}};
}

Json params_json(const kernel::Configuration& c) {
  Json out = Json::object();
  for (const auto& [name, value] : c.entries()) {
    out[name] = std::visit([](const auto& v) { return Json(v); }, value);
  }
  return out;
}

Json row_json(const ComparedRow& row) {
  Json out = {{"row", row.row},
              {"params", params_json(row.parameters)},
              {"silicon_ms", number(row.silicon_ms)},
              {"sim_ms", number(row.sim_ms)},
              {"status", word(row.status)},
              {"silicon_status", word(row.silicon_status)},
              {"error", number(row.error())}};
  if (row.status == eval::EvalStatus::ok) {
    out["character"] = {{"limiter", row.character.limiter},
                        {"utilization", row.character.utilization},
                        {"local_memory", row.character.local_memory}};
  } else {
    out["message"] = row.message;
  }
  return out;
}

Json gates_json(const std::vector<Gate>& gates, const ValidationReport& report) {
  Json out = Json::array();
  for (const auto& gate : gates) {
    out.push_back({{"fail_if", gate.text},
                   {"value", number(metric_value(gate, report))},
                   {"failed", fails(gate, report)}});
  }
  return out;
}

} // namespace

std::string to_json_text(const ValidationReport& report, const std::vector<Gate>& gates) {
  Json rows = Json::array();
  for (const auto& row : report.rows) {
    rows.push_back(row_json(row));
  }
  const auto& invalid = report.invalid;
  const Json out = {
      {"schema", 1},
      {"version", COULOMB_VERSION},
      {"spec", report.subject.spec},
      {"gpu", report.subject.gpu},
      {"architecture", report.subject.architecture},
      {"table", report.table},
      {"clock",
       {{"sm_mhz", report.subject.sm_clock_mhz}, {"mem_mhz", report.subject.memory_clock_mhz}}},
      {"fidelity", report.subject.fidelity},
      {"seed", report.sample.request.seed},
      {"sample", sample_json(report.sample)},
      {"interrupted", report.interrupted},
      {"finished_rows", report.rows.size()},
      {"drawn_rows", report.drawn},
      {"n", report.n},
      {"fitted", report.subject.fitted},
      {"mape", number(report.errors.mape)},
      {"median_ape", number(report.errors.median_ape)},
      {"p90_ape", number(report.errors.p90_ape)},
      {"bias", number(report.errors.bias)},
      {"scale_free",
       {{"factor", number(report.scale.factor)},
        {"mape", number(report.scale.mape)},
        {"median_ape", number(report.scale.median_ape)}}},
      {"spearman", number(report.spearman)},
      {"kendall", number(report.kendall)},
      {"spearman_best5pct", number(report.spearman_best5pct)},
      {"top1_regret", number(report.top1_regret)},
      {"top5_regret", number(report.top5_regret)},
      {"invalid",
       {{"both", invalid.both},
        {"silicon_only", invalid.silicon_only},
        {"sim_only", invalid.sim_only},
        {"undecided", invalid.undecided}}},
      {"excluded", report.excluded.empty() ? Json::object() : Json(report.excluded)},
      {"gates", gates_json(gates, report)},
      {"rows", std::move(rows)},
      {"host",
       {{"wall_s", report.cost.wall_s},
        {"compile_s", report.cost.compile_s},
        {"simulation_s", report.cost.simulation_s},
        {"warp_insts", report.cost.warp_insts},
        {"warp_insts_per_s", number(report.cost.warp_insts_per_s())}}},
      {"command", report.subject.command},
  };
  // Messages quote compilers; a byte that is not UTF-8 must not cost the report.
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace coulomb::calibration
