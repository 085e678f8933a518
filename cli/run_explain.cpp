// SPDX-License-Identifier: Apache-2.0
#include "cli/run_explain.hpp"

#include "base/config/field.hpp"
#include "base/text.hpp"
#include "cli/hot_report.hpp"
#include "cli/vcd_options.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <variant>

namespace coulomb::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Key: value of every parameter, in the units of `coulomb config list`.
Json gpu_parameters(config::GpuConfig gpu) {
  Json j = Json::object();
  for (const config::Field& f : config::fields(gpu)) {
    j[f.key] = std::visit([](const auto* member) { return Json(*member); }, f.member);
  }
  return j;
}

} // namespace

eval::ProfileRequest profile_request(const RunOptions& options) {
  return {options.hot > 0, options.timeline.empty() ? 0 : timeline_events(options.timeline_bytes),
          options.vcd};
}

TimelineTrace write_timeline(const RunOptions& options, const eval::SimOutcome& sim) {
  if (options.timeline.empty() || sim.timeline.sms == 0) {
    return {};
  }
  TimelineTrace trace = timeline_trace(
      sim.timeline, fmt::format("{} on {}", options.kernel.spec.name, options.gpu.config.id),
      options.gpu.config.sm.warp_schedulers, options.timeline_bytes);
  write_file_atomically(options.timeline, trace.text);
  return trace;
}

std::string explanation_text(const RunOptions& options,
                             const eval::SimOutcome& sim,
                             const TimelineTrace& trace) {
  std::string text = options.hot > 0 ? hot_report_text(sim.hot, options.hot) : std::string();
  if (!trace.text.empty()) {
    text += fmt::format("\ntimeline   {}   {} events, {} bytes; open it with ui.perfetto.dev\n"
                        "           {}\n",
                        options.timeline, with_thousands(trace.events),
                        with_thousands(trace.text.size()), trace.note);
  }
  return text + vcd_text(options.vcd.path, sim.vcd);
}

Json explanation_json(const RunOptions& options,
                      const eval::SimOutcome& sim,
                      const TimelineTrace& trace) {
  Json j = {{"gpu_parameters", gpu_parameters(options.gpu.config)},
            {"gpu_changed", options.gpu.changed}};
  if (options.hot > 0) {
    add_hot_json(j, sim.hot, options.hot);
  }
  if (!trace.text.empty()) {
    j["timeline"] = {{"file", options.timeline},
                     {"events", trace.events},
                     {"left_out", trace.left_out},
                     {"bytes", trace.text.size()},
                     {"shortest_slice_cycles", sim.timeline.shortest_slice},
                     {"note", trace.note}};
  }
  if (sim.vcd.signals > 0) {
    j["vcd"] = {{"file", options.vcd.path}, {"first_cycle", sim.vcd.from},
                {"end_cycle", sim.vcd.end}, {"signals", sim.vcd.signals},
                {"bytes", sim.vcd.bytes},   {"full", sim.vcd.full}};
  }
  return j;
}

} // namespace coulomb::cli
