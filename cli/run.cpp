// SPDX-License-Identifier: Apache-2.0
#include "cli/run.hpp"

#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/json_output.hpp"
#include "cli/run_explain.hpp"
#include "cli/run_options.hpp"
#include "cli/run_report.hpp"
#include "cli/scratch_directory.hpp"
#include "search/engine/reference_output.hpp"

#include <cmath>
#include <cstdio>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <unistd.h>

namespace coulomb::cli {
namespace {

using Strings = std::vector<std::string>;

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

/// The reference of a configuration of a spec without an oracle: the default configuration's
/// output. Returns why there is none, or nothing.
std::string add_reference(RunOptions& options, const ScratchDirectory& scratch) {
  const kernel::TunableSpec& spec = options.kernel.spec;
  if (!options.evaluator.check_output || !options.evaluator.expected.empty() ||
      !search::needs_reference(spec)) {
    return {};
  }
  if (options.configuration == spec.default_configuration()) {
    return "no oracle; the default configuration is itself the reference of the others";
  }
  auto reference = search::run_default_configuration(spec, options.gpu.config, options.evaluator,
                                                     scratch.path());
  options.evaluator.expected = std::move(reference.expected);
  return reference.problem;
}

search::Evaluation evaluate(RunOptions& options) {
  const ScratchDirectory scratch;
  const bool show = ::isatty(STDERR_FILENO) != 0;
  if (show) {
    fmt::print(stderr, "compiling and simulating ...\r");
  }
  const std::string unchecked = add_reference(options, scratch);
  options.evaluator.profile = profile_request(options); // the reference run needs none
  search::Evaluation result;
  search::Evaluator evaluator(options.kernel.spec, options.gpu.config, options.evaluator);
  evaluator.evaluate({{0, options.configuration}},
                     [&](const search::Evaluation& e) { result = e; });
  if (!result.sim.output_check.checked) {
    result.sim.output_check.reference = unchecked;
  }
  if (show) {
    fmt::print(stderr, "\x1b[K");
  }
  return result;
}

/// What validations against silicon say about the time of such a run; nothing if it has no time.
std::optional<calibration::ExpectedError> expected_error(const RunOptions& options,
                                                         const eval::SimOutcome& sim) {
  if (!(sim.cycles > 0.0)) {
    return std::nullopt;
  }
  const config::GpuConfig& gpu = options.gpu.config;
  const calibration::Character character = calibration::character_of(sim, gpu);
  if (!options.gpu.changed.empty()) {
    calibration::ExpectedError nothing;
    nothing.character = character;
    nothing.gpu_changed = true;
    return nothing;
  }
  return calibration::ErrorTable::load(home_dir() + "/data/accuracy/errors.csv")
      .expect(character, gpu.architecture);
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
  const search::Evaluation result = evaluate(options);
  const TimelineTrace trace = write_timeline(options, result.sim);
  if (options.json) {
    auto more = explanation_json(options, result.sim, trace);
    more["expected_error"] = expected_error_json(expected_error(options, result.sim));
    fmt::print("{}\n",
               run_result_json(result, options.kernel.spec.name, options.gpu.config.id, more));
  } else {
    print_report(options, args, result, trace);
  }
  std::fflush(stdout);
  if (result.status != eval::EvalStatus::ok) {
    fmt::print(stderr, "{}: {}\n", eval::to_string(result.status), result.message);
    return 4;
  }
  return result.sim.findings.empty() ? 0 : 1;
}

} // namespace coulomb::cli
