// SPDX-License-Identifier: Apache-2.0
#include "calibration/points/reduction.hpp"

#include "base/config/field.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <charconv>

namespace coulomb::calibration::points {
namespace {

ProbeRun run_of(const Measurement& m, const std::string& gpu, const std::string* end) {
  ProbeRun run{gpu, m.probe, m.values};
  if (end != nullptr) {
    run.values[m.vary] = *end;
  }
  return run;
}

double metric(const std::string& name, const ProbeResult& result) {
  if (!result.problem.empty()) {
    throw UserError(result.problem);
  }
  static const std::map<std::string, double ProbeResult::*> kMetrics{
      {"cycles", &ProbeResult::cycles},
      {"time_ns", &ProbeResult::time_ns},
      {"ctas_per_sm", &ProbeResult::ctas_per_sm},
      {"launch_overhead_us", &ProbeResult::launch_overhead_us}};
  if (const auto found = kMetrics.find(name); found != kMetrics.end()) {
    return result.*(found->second);
  }
  if (name == "least" && !result.out.empty()) {
    return *std::min_element(result.out.begin(), result.out.end());
  }
  if (name == "most" && !result.out.empty()) {
    return *std::max_element(result.out.begin(), result.out.end());
  }
  std::size_t index = 0;
  if (name.starts_with("out[") && name.ends_with("]") &&
      std::from_chars(name.data() + 4, name.data() + name.size() - 1, index).ec == std::errc() &&
      index < result.out.size()) {
    return result.out[index];
  }
  throw UserError(fmt::format("metric \"{}\" of a probe with {} output elements; allowed: out[i], "
                              "least, most, cycles, time_ns, ctas_per_sm, launch_overhead_us",
                              name, result.out.size()));
}

double factor(const std::string& text, const config::GpuConfig& gpu) {
  if (text == "sms") {
    return gpu.sms;
  }
  if (text == "sm_clock_ghz") {
    return gpu.sm_clock_mhz / 1000.0;
  }
  double value = 0.0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) {
    throw UserError(fmt::format("factor \"{}\"; allowed: a number, sms, sm_clock_ghz", text));
  }
  return value;
}

double probed(const Measurement& m, const std::string& gpu, const FindResult& find) {
  double value = 0.0;
  if (m.vary.empty()) {
    value = metric(m.metric, find(run_of(m, gpu, nullptr)));
  } else {
    value = metric(m.metric, find(run_of(m, gpu, &m.between.second))) -
            metric(m.metric, find(run_of(m, gpu, &m.between.first)));
  }
  if (m.work) {
    if (!(value > 0.0)) {
      throw UserError(
          fmt::format("{} of {} is {}: no rate can be made of it", m.metric, m.probe, value));
    }
    return *m.work / value;
  }
  return value / m.per.value_or(1.0);
}

} // namespace

void add_runs(const MeasurementPlan& plan,
              const std::string& name,
              const std::string& gpu,
              std::set<ProbeRun>& runs) {
  const Measurement& m = plan.measurements.at(name);
  if (!m.probe.empty()) {
    if (m.vary.empty()) {
      runs.insert(run_of(m, gpu, nullptr));
    } else {
      runs.insert(run_of(m, gpu, &m.between.first));
      runs.insert(run_of(m, gpu, &m.between.second));
    }
  }
  for (const auto& term : m.sum) {
    add_runs(plan, term.second, gpu, runs);
  }
  for (const auto& part : m.ratio) {
    add_runs(plan, part, gpu, runs);
  }
}

double reduce(const MeasurementPlan& plan,
              const std::string& name,
              const std::string& gpu,
              const config::GpuConfig& config,
              const FindResult& find) {
  const Measurement& m = plan.measurements.at(name);
  double value = 0.0;
  if (!m.probe.empty()) {
    value = probed(m, gpu, find);
  }
  for (const auto& [times, part] : m.sum) {
    value += times * reduce(plan, part, gpu, config, find);
  }
  if (!m.ratio.empty()) {
    value =
        reduce(plan, m.ratio[0], gpu, config, find) / reduce(plan, m.ratio[1], gpu, config, find);
  }
  for (const auto& text : m.times) {
    value *= factor(text, config);
  }
  return value + m.plus;
}

std::vector<double> configured(const config::GpuConfig& config, const std::string& key) {
  config::GpuConfig copy = config;
  const config::Field f = config::field(copy, key);
  if (const auto* one = std::get_if<std::uint32_t*>(&f.member)) {
    return {static_cast<double>(**one)};
  }
  if (const auto* real = std::get_if<double*>(&f.member)) {
    return {**real};
  }
  if (const auto* list = std::get_if<std::vector<std::uint32_t>*>(&f.member)) {
    return {(*list)->begin(), (*list)->end()};
  }
  throw UserError(fmt::format("{} is no number", key));
}

} // namespace coulomb::calibration::points
