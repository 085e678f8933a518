// SPDX-License-Identifier: Apache-2.0
#include "base/eval/measurement.hpp"

#include "base/eval/launch_json.hpp"
#include "base/eval/output_json.hpp"

#include <algorithm>
#include <cmath>

namespace coulomb::eval {
namespace {

std::vector<double> doubles_from_json(const JsonFields& fields, const char* name) {
  std::vector<double> numbers;
  for (const auto& item : fields.array(name)) {
    if (!item.is_number()) {
      fields.fail(name, "an array of numbers");
    }
    numbers.push_back(item.get<double>());
  }
  return numbers;
}

nlohmann::json device_state_json(const DeviceState& state) {
  return {{"sm_clock_mhz", state.sm_clock_mhz},
          {"sm_clock_min_mhz", state.sm_clock_min_mhz},
          {"sm_clock_max_mhz", state.sm_clock_max_mhz},
          {"memory_clock_mhz", state.memory_clock_mhz},
          {"temperature_c", state.temperature_c},
          {"throttle_reasons", state.throttle_reasons},
          {"readings", state.readings}};
}

DeviceState device_state_from_json(const JsonFields& fields) {
  return {fields.number("sm_clock_mhz"),
          fields.number("sm_clock_min_mhz"),
          fields.number("sm_clock_max_mhz"),
          fields.number("memory_clock_mhz"),
          fields.number("temperature_c"),
          texts_from_json(fields, "throttle_reasons"),
          fields.u32("readings")};
}

nlohmann::json measured_power_json(const MeasuredPower& power) {
  return {{"watts", power.watts},
          {"joules", power.joules},
          {"window_ms", power.window_ms},
          {"readings", power.readings}};
}

MeasuredPower measured_power_from_json(const JsonFields& fields) {
  return {fields.number("watts"), fields.number("joules"), fields.number("window_ms"),
          fields.u32("readings")};
}

/// Value below which the share `part` of ascending samples lies, linear between two of them.
double quantile(const std::vector<double>& sorted, double part) {
  const double position = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

} // namespace

SampleStatistics sample_statistics(std::vector<double> samples) {
  SampleStatistics s;
  if (samples.empty()) {
    return s;
  }
  std::sort(samples.begin(), samples.end());
  s.median = quantile(samples, 0.5);
  s.q1 = quantile(samples, 0.25);
  s.q3 = quantile(samples, 0.75);
  s.minimum = samples.front();
  const auto n = static_cast<double>(samples.size());
  const double reach = 1.96 * std::sqrt(n) / 2.0;
  const double low = std::floor(n / 2.0 - reach);
  const double high = std::ceil(n / 2.0 + reach);
  const double begin = low < 0.0 ? samples.front() : samples[static_cast<std::size_t>(low)];
  const double end = high >= n ? samples.back() : samples[static_cast<std::size_t>(high)];
  s.noise = s.median > 0.0 ? (end - begin) / 2.0 / s.median : 0.0;
  return s;
}

nlohmann::json sampling_json(const SamplingRule& rule) {
  return {{"warm_up", rule.warm_up},
          {"min_samples", rule.min_samples},
          {"max_samples", rule.max_samples},
          {"noise_target", rule.noise_target},
          {"time_limit_s", rule.time_limit_s}};
}

SamplingRule sampling_from_json(const JsonFields& fields) {
  return {fields.u32("warm_up"), fields.u32("min_samples"), fields.u32("max_samples"),
          fields.number("noise_target"), fields.number("time_limit_s")};
}

std::string to_json_text(const MeasureRequest& request) {
  return dump_line({{"id", request.id},
                    {"device", request.device},
                    {"cubin_path", request.cubin_path},
                    {"kernel_name", request.kernel_name},
                    {"launch", launch_json(request.launch)},
                    {"oracle", request.oracle},
                    {"oracle_parameters", request.oracle_parameters},
                    {"expected", list_json(request.expected, expected_json)},
                    {"sampling", sampling_json(request.sampling)},
                    {"cache_state", request.cache_state},
                    {"metrics", request.metrics},
                    {"power_s", request.power_s},
                    {"power_window_ms", request.power_window_ms},
                    {"empty_cubin_path", request.empty_cubin_path}});
}

MeasureRequest measure_request_from_json(const std::string& text) {
  const nlohmann::json object = parse_object(text, "measurement request");
  const JsonFields fields(object, "measurement request");
  MeasureRequest request;
  request.id = fields.u64("id");
  request.device = fields.u32("device");
  request.cubin_path = fields.text("cubin_path");
  request.kernel_name = fields.text("kernel_name");
  request.launch = launch_from_json(fields.object("launch"));
  request.oracle = fields.text("oracle");
  request.oracle_parameters = fields.text("oracle_parameters");
  request.expected = list_from_json(fields, "expected", expected_from_json);
  request.sampling = sampling_from_json(fields.object("sampling"));
  request.cache_state = fields.text("cache_state");
  request.metrics = texts_from_json(fields, "metrics");
  request.power_s = fields.number("power_s");
  request.power_window_ms = fields.number("power_window_ms");
  request.empty_cubin_path = fields.text("empty_cubin_path");
  return request;
}

std::string to_json_text(const MeasureOutcome& outcome) {
  return dump_line(measure_outcome_json(outcome));
}

nlohmann::json measure_outcome_json(const MeasureOutcome& outcome) {
  return {{"id", outcome.id},
          {"status", to_string(outcome.status)},
          {"message", outcome.message},
          {"first_ms", outcome.first_ms},
          {"samples_ms", outcome.samples_ms},
          {"stopped_by", outcome.stopped_by},
          {"empty_launch_ms", outcome.empty_launch_ms},
          {"registers", outcome.registers},
          {"static_shared_bytes", outcome.static_shared_bytes},
          {"dynamic_shared_bytes", outcome.dynamic_shared_bytes},
          {"spill_bytes", outcome.spill_bytes},
          {"ctas_per_sm", outcome.ctas_per_sm},
          {"state", device_state_json(outcome.state)},
          {"power", measured_power_json(outcome.power)},
          {"counters", numbers_json(outcome.counters)},
          {"passes", outcome.passes},
          {"output_check", output_check_json(outcome.output_check)},
          {"notes", outcome.notes},
          {"context_lost", outcome.context_lost},
          {"error_kind", outcome.error_kind},
          {"error_hint", outcome.error_hint},
          {"wall_s", outcome.wall_s}};
}

MeasureOutcome measure_outcome_from_json(const std::string& text) {
  const nlohmann::json object = parse_object(text, "measurement outcome");
  return measure_outcome_from_json(JsonFields(object, "measurement outcome"));
}

MeasureOutcome measure_outcome_from_json(const JsonFields& fields) {
  MeasureOutcome outcome;
  outcome.id = fields.u64("id");
  outcome.status = status_from_string(fields.text("status"));
  outcome.message = fields.text("message");
  outcome.first_ms = fields.number("first_ms");
  outcome.samples_ms = doubles_from_json(fields, "samples_ms");
  outcome.stopped_by = fields.text("stopped_by");
  outcome.empty_launch_ms = fields.number("empty_launch_ms");
  outcome.registers = fields.u32("registers");
  outcome.static_shared_bytes = fields.u32("static_shared_bytes");
  outcome.dynamic_shared_bytes = fields.u32("dynamic_shared_bytes");
  outcome.spill_bytes = fields.u32("spill_bytes");
  outcome.ctas_per_sm = fields.u32("ctas_per_sm");
  outcome.state = device_state_from_json(fields.object("state"));
  outcome.power = measured_power_from_json(fields.object("power"));
  outcome.counters = fields.numbers("counters");
  outcome.passes = fields.u32("passes");
  outcome.output_check = output_check_from_json(fields.object("output_check"));
  outcome.notes = texts_from_json(fields, "notes");
  outcome.context_lost = fields.flag("context_lost");
  outcome.error_kind = fields.text("error_kind");
  outcome.error_hint = fields.text("error_hint");
  outcome.wall_s = fields.number("wall_s");
  return outcome;
}

} // namespace coulomb::eval
