// SPDX-License-Identifier: Apache-2.0
#include "cli/run.hpp"

#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/comparison_report.hpp"
#include "cli/json_output.hpp"
#include "cli/power_trace.hpp"
#include "cli/run_axis.hpp"
#include "cli/run_evaluation.hpp"
#include "cli/run_explain.hpp"
#include "cli/run_options.hpp"
#include "cli/run_report.hpp"

#include <cmath>
#include <cstdio>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace coulomb::cli {
namespace {

using Strings = std::vector<std::string>;
using Json = nlohmann::ordered_json;

std::string gpu_line(const config::ResolvedGpu& gpu) {
  Strings counts;
  for (const auto& [kind, n] : config::provenance_counts(gpu)) {
    counts.push_back(fmt::format("{} {}", n, kind));
  }
  std::string line =
      fmt::format("{}   {} SMs   {} MHz   parameters: {}", gpu.config.id, gpu.config.sms,
                  with_thousands(static_cast<std::uint64_t>(std::llround(gpu.config.sm_clock_mhz))),
                  fmt::join(counts, ", "));
  if (!gpu.changed.empty()) {
    line += fmt::format("\nchanged    {}", fmt::join(gpu.changed, ", "));
  }
  return line;
}

void print_report(const RunOptions& options,
                  const Strings& args,
                  const search::Evaluation& result,
                  const TimelineTrace& trace) {
  RunReport report{.kernel = options.kernel.spec.name,
                   .gpu_line = gpu_line(options.gpu),
                   .reproduce = shell_line("run", args),
                   .search = {},
                   .outputs = options.kernel.outputs,
                   .expected_error = expected_error(options, result.sim),
                   .cache_state = options.evaluator.fidelity.cache_state,
                   .explanation = explanation_text(options, result.sim, trace)};
  if (options.kernel.tunable) {
    report.search = shell_line("search", {options.spec_argument, "--gpu", options.gpu_argument});
  }
  fmt::print("{}", run_report_text(report, result, options.gpu.config));
}

} // namespace

int run_run(const Strings& args) {
  RunOptions options = parse_run_options(args);
  if (options.help) {
    fmt::print("{}", run_help());
    return 0;
  }
  if (!options.axes.empty()) {
    return run_axes(args, options);
  }
  std::optional<SavedRun> saved;
  if (!options.against.empty()) {
    saved = read_saved_run(options.against, "run: --against"); // before the long part
  }
  const search::Evaluation result = evaluate_run(options);
  const TimelineTrace trace = write_timeline(options, result.sim);
  const std::string powered = write_power_trace(options, result.sim);
  Json json = run_json(options, result, trace);
  std::string compared;
  if (saved && result.sim.cycles > 0.0) {
    const SavedRun now = parse_saved_run(json_text(json), "this run");
    const Comparison comparison = compare_runs(*saved, now);
    compared = comparison_text(*saved, now, comparison);
    json["against"] = comparison_json(*saved, now, comparison);
  }
  if (options.json) {
    fmt::print("{}\n", json_text(json));
  } else {
    print_report(options, args, result, trace);
    fmt::print("{}", powered);
    fmt::print("{}{}", compared.empty() ? "" : "\n", compared);
  }
  std::fflush(stdout);
  if (result.status != eval::EvalStatus::ok) {
    fmt::print(stderr, "{}: {}\n", eval::to_string(result.status), result.message);
    return 4;
  }
  return result.sim.findings.empty() ? 0 : 1;
}

} // namespace coulomb::cli
