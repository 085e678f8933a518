// SPDX-License-Identifier: Apache-2.0
#include "base/eval/simulation.hpp"

#include "base/error.hpp"
#include "base/eval/json_fields.hpp"
#include "base/eval/launch_json.hpp"
#include "base/eval/output_json.hpp"
#include "base/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coulomb::eval {
namespace {

nlohmann::json fidelity_json(const Fidelity& fidelity) {
  return {{"rung", fidelity.rung},
          {"sms", fidelity.sms},
          {"max_waves", fidelity.max_waves},
          {"ctas", fidelity.ctas},
          {"cache_state", fidelity.cache_state}};
}

Fidelity fidelity_from_json(const JsonFields& fields) {
  Fidelity fidelity;
  fidelity.rung = fields.text("rung");
  fidelity.sms = fields.u32("sms");
  fidelity.max_waves = fields.u32("max_waves");
  fidelity.ctas = fields.u64("ctas");
  fidelity.cache_state = fields.text("cache_state");
  return fidelity;
}

nlohmann::json occupancy_json(const Occupancy& occupancy) {
  return {{"ctas_per_sm", occupancy.ctas_per_sm},
          {"warps_per_sm", occupancy.warps_per_sm},
          {"limiter", occupancy.limiter}};
}

Occupancy occupancy_from_json(const JsonFields& fields) {
  Occupancy occupancy;
  occupancy.ctas_per_sm = fields.u32("ctas_per_sm");
  occupancy.warps_per_sm = fields.u32("warps_per_sm");
  occupancy.limiter = fields.text("limiter");
  return occupancy;
}

} // namespace

std::string parse_cache_state(const std::string& text, const std::string& where) {
  const std::vector<std::string> known(kCacheStates.begin(), kCacheStates.end());
  if (std::find(known.begin(), known.end(), text) == known.end()) {
    throw UserError(fmt::format("{} is \"{}\"{}; allowed: {}", where, text,
                                did_you_mean(text, known), fmt::join(known, ", ")));
  }
  return text;
}

std::string oracle_parameters(const kernel::TunableSpec& spec,
                              const kernel::Configuration& configuration) {
  nlohmann::json parameters = configuration.json();
  parameters["problem_size"] = spec.problem_size;
  return parameters.dump();
}

std::string to_json_text(const SimRequest& request) {
  return dump_line({{"id", request.id},
                    {"cubin_path", request.cubin_path},
                    {"kernel_name", request.kernel_name},
                    {"launch", launch_json(request.launch)},
                    {"gpu_json", request.gpu_json},
                    {"oracle", request.oracle},
                    {"oracle_parameters", request.oracle_parameters},
                    {"expected", list_json(request.expected, expected_json)},
                    {"outputs", list_json(request.outputs, output_file_json)},
                    {"checks", request.checks},
                    {"fidelity", fidelity_json(request.fidelity)},
                    {"profile", profile_request_json(request.profile)},
                    {"cycle_limit", request.cycle_limit},
                    {"seed", request.seed}});
}

SimRequest sim_request_from_json(const std::string& text) {
  const nlohmann::json object = parse_object(text, "simulation request");
  const JsonFields fields(object, "simulation request");
  SimRequest request;
  request.id = fields.u64("id");
  request.cubin_path = fields.text("cubin_path");
  request.kernel_name = fields.text("kernel_name");
  request.launch = launch_from_json(fields.object("launch"));
  request.gpu_json = fields.text("gpu_json");
  request.oracle = fields.text("oracle");
  request.oracle_parameters = fields.text("oracle_parameters");
  request.expected = list_from_json(fields, "expected", expected_from_json);
  request.outputs = list_from_json(fields, "outputs", output_file_from_json);
  request.checks = texts_from_json(fields, "checks");
  request.fidelity = fidelity_from_json(fields.object("fidelity"));
  request.profile = profile_request_from_json(fields.object("profile"));
  request.cycle_limit = fields.u64("cycle_limit");
  request.seed = fields.u64("seed");
  return request;
}

std::string to_json_text(const SimOutcome& outcome) {
  return dump_line({{"id", outcome.id},
                    {"status", to_string(outcome.status)},
                    {"message", outcome.message},
                    {"registers", outcome.registers},
                    {"static_shared_bytes", outcome.static_shared_bytes},
                    {"dynamic_shared_bytes", outcome.dynamic_shared_bytes},
                    {"spill_bytes", outcome.spill_bytes},
                    {"occupancy", occupancy_json(outcome.occupancy)},
                    {"cycles", number_json(outcome.cycles)},
                    {"time_ms", number_json(outcome.time_ms)},
                    {"launch_overhead_ms", number_json(outcome.launch_overhead_ms)},
                    {"ipc", number_json(outcome.ipc)},
                    {"counters", numbers_json(outcome.counters)},
                    {"stalls", numbers_json(outcome.stalls)},
                    {"code_mix", numbers_json(outcome.code_mix)},
                    {"output_check", output_check_json(outcome.output_check)},
                    {"printed", outcome.printed},
                    {"findings", list_json(outcome.findings, finding_json)},
                    {"hot", list_json(outcome.hot, hot_instruction_json)},
                    {"timeline", timeline_json(outcome.timeline)},
                    {"vcd", vcd_outcome_json(outcome.vcd)},
                    {"rung", outcome.rung},
                    {"sms", outcome.sms},
                    {"ctas_simulated", outcome.ctas_simulated},
                    {"ctas_total", outcome.ctas_total},
                    {"wall_s", number_json(outcome.wall_s)},
                    {"model_s", number_json(outcome.model_s)},
                    {"warp_insts", outcome.warp_insts},
                    {"peak_rss_bytes", outcome.peak_rss_bytes}});
}

SimOutcome sim_outcome_from_json(const std::string& text) {
  const nlohmann::json object = parse_object(text, "simulation outcome");
  const JsonFields fields(object, "simulation outcome");
  SimOutcome outcome;
  outcome.id = fields.u64("id");
  outcome.status = status_from_string(fields.text("status"));
  outcome.message = fields.text("message");
  outcome.registers = fields.u32("registers");
  outcome.static_shared_bytes = fields.u32("static_shared_bytes");
  outcome.dynamic_shared_bytes = fields.u32("dynamic_shared_bytes");
  outcome.spill_bytes = fields.u32("spill_bytes");
  outcome.occupancy = occupancy_from_json(fields.object("occupancy"));
  outcome.cycles = fields.number("cycles");
  outcome.time_ms = fields.number("time_ms");
  outcome.launch_overhead_ms = fields.number("launch_overhead_ms");
  outcome.ipc = fields.number("ipc");
  outcome.counters = fields.numbers("counters");
  outcome.stalls = fields.numbers("stalls");
  outcome.code_mix = fields.numbers("code_mix");
  outcome.output_check = output_check_from_json(fields.object("output_check"));
  outcome.printed = fields.text("printed");
  outcome.findings = list_from_json(fields, "findings", finding_from_json);
  outcome.hot = list_from_json(fields, "hot", hot_instruction_from_json);
  outcome.timeline = timeline_from_json(fields.object("timeline"));
  outcome.vcd = vcd_outcome_from_json(fields.object("vcd"));
  outcome.rung = fields.text("rung");
  outcome.sms = fields.u32("sms");
  outcome.ctas_simulated = fields.u64("ctas_simulated");
  outcome.ctas_total = fields.u64("ctas_total");
  outcome.wall_s = fields.number("wall_s");
  outcome.model_s = fields.number("model_s");
  outcome.warp_insts = fields.u64("warp_insts");
  outcome.peak_rss_bytes = fields.u64("peak_rss_bytes");
  return outcome;
}

} // namespace coulomb::eval
