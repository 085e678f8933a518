// SPDX-License-Identifier: Apache-2.0
#include "cli/hw_measure_report.hpp"

#include "cli/json_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace coulomb::cli {
namespace {

nlohmann::ordered_json row_json(const results::MeasuredRow& row) {
  const eval::MeasureOutcome& o = row.outcome;
  const auto times = eval::sample_statistics(o.samples_ms);
  nlohmann::ordered_json json = {{"parameters", row.parameters.json()},
                                 {"status", eval::to_string(o.status)},
                                 {"message", o.message}};
  const bool ok = o.status == eval::EvalStatus::ok;
  json["time_ms"] = ok ? nlohmann::json(times.median) : nlohmann::json();
  json["samples"] = {
      {"count", o.samples_ms.size()}, {"q1_ms", times.q1},    {"q3_ms", times.q3},
      {"min_ms", times.minimum},      {"noise", times.noise}, {"first_ms", o.first_ms},
      {"stopped_by", o.stopped_by}};
  json["launch_overhead_ms"] = o.empty_launch_ms;
  json["outcome"] = eval::measure_outcome_json(o);
  return json;
}

std::string output_text(const eval::OutputCheck& check) {
  if (!check.checked) {
    return "not checked";
  }
  return fmt::format("{} elements {}", check.compared, check.passed ? "right" : "WRONG");
}

std::string row_text(const results::MeasuredRow& row) {
  const eval::MeasureOutcome& o = row.outcome;
  std::string text = row.parameters.key() + "\n";
  if (o.status != eval::EvalStatus::ok) {
    text += fmt::format("  {:<12} {}\n", eval::to_string(o.status), o.message);
    if (!o.error_hint.empty()) {
      text += fmt::format("               {}\n", o.error_hint);
    }
    return text;
  }
  const auto times = eval::sample_statistics(o.samples_ms);
  text += fmt::format("  {:.6g} ms  [{:.6g}, {:.6g}]  noise {:.2f} %  {} samples (stopped by {})\n",
                      times.median, times.q1, times.q3, 100.0 * times.noise, o.samples_ms.size(),
                      o.stopped_by);
  text +=
      fmt::format("  first {:.6g} ms   launch of nothing {:.4g} ms   SM {:.0f} MHz   output {}\n",
                  o.first_ms, o.empty_launch_ms, o.state.sm_clock_mhz, output_text(o.output_check));
  if (o.power.readings > 0) {
    text += fmt::format("  power {:.1f} W   energy {:.4g} J a launch   ({} readings)\n",
                        o.power.watts, o.power.joules, o.power.readings);
  }
  for (const auto& note : o.notes) {
    text += fmt::format("  note  {}\n", note);
  }
  return text;
}

} // namespace

std::string plan_text(const hw::MeasuringDevice& device,
                      const kernel::TunableSpec& spec,
                      const std::vector<kernel::Configuration>& configurations,
                      const hw::MeasureOptions& options) {
  const auto& rule = options.sampling;
  return fmt::format("{} on {} ({})   {} configuration{}\n"
                     "samples  until noise <= {:.2g} %, {} to {}, at most {:.0f} s each\n"
                     "at most  {:.0f} s of launches in all.  Nothing was run.\n",
                     spec.name, device.board(), device.address(), configurations.size(),
                     configurations.size() == 1 ? "" : "s", 100.0 * rule.noise_target,
                     rule.min_samples, rule.max_samples, rule.time_limit_s,
                     static_cast<double>(configurations.size()) *
                         (rule.time_limit_s + options.power_s));
}

MeasureReport::MeasureReport(const hw::MeasuringDevice& device,
                             const kernel::TunableSpec& spec,
                             bool json)
    : json_(json), head_({{"schema", kJsonSchema},
                          {"spec", spec.name},
                          {"board", device.board()},
                          {"device", device.address()}}) {
  if (!json_) {
    fmt::print("measure    {} on {}   {}\n", spec.name, device.board(), device.address());
  }
}

void MeasureReport::add(const results::MeasuredRow& row) {
  ok_ += row.outcome.status == eval::EvalStatus::ok ? 1U : 0U;
  rows_.push_back(row_json(row));
  if (!json_) {
    fmt::print("{}", row_text(row));
    std::fflush(stdout);
  }
}

void MeasureReport::leave_out(const kernel::Configuration& configuration, const std::string& why) {
  left_out_.push_back({{"parameters", configuration.json()}, {"reason", why}});
  if (!json_) {
    fmt::print("{}\n  left out     {}\n", configuration.key(), why);
  }
}

void MeasureReport::finish(const std::string& path) {
  if (json_) {
    head_["out"] = path;
    head_["rows"] = rows_;
    head_["left_out"] = left_out_;
    fmt::print("{}\n", json_text(head_));
    return;
  }
  fmt::print("{} of {} ok{}\n", ok_, rows_.size(),
             left_out_.empty() ? "" : fmt::format(", {} left out", left_out_.size()));
  if (!path.empty()) {
    fmt::print("saved      {}\n"
               "next       coulomb validate --silicon {}\n",
               path, path);
  }
}

} // namespace coulomb::cli
