// SPDX-License-Identifier: Apache-2.0
#include "cli/run_evaluation.hpp"

#include "base/text.hpp"
#include "cli/json_output.hpp"
#include "cli/run_explain.hpp"
#include "cli/run_power.hpp"
#include "cli/scratch_directory.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace coulomb::cli {

std::string add_reference(RunOptions& options,
                          const std::string& folder,
                          std::optional<search::ReferenceOutput>& made) {
  const kernel::TunableSpec& spec = options.kernel.spec;
  if (!options.evaluator.check_output || !options.evaluator.expected.empty() ||
      !search::needs_reference(spec)) {
    return {};
  }
  if (options.configuration == spec.default_configuration()) {
    return "no oracle; the default configuration is itself the reference of the others";
  }
  if (!made) {
    made = search::run_default_configuration(spec, options.gpu.config, options.evaluator, folder);
  }
  options.evaluator.expected = made->expected;
  return made->problem;
}

search::Evaluation evaluate_run(RunOptions& options) {
  const ScratchDirectory scratch;
  const bool show = ::isatty(STDERR_FILENO) != 0;
  if (show) {
    fmt::print(stderr, "compiling and simulating ...\r");
  }
  std::optional<search::ReferenceOutput> reference;
  const std::string unchecked = add_reference(options, scratch.path(), reference);
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

std::optional<calibration::ExpectedError> expected_error(const RunOptions& options,
                                                         const eval::SimOutcome& sim) {
  if (!(sim.cycles > 0.0)) {
    return std::nullopt;
  }
  const config::GpuConfig& gpu = options.gpu.config;
  const eval::Character character = eval::character_of(sim, gpu);
  if (!options.gpu.changed.empty()) {
    calibration::ExpectedError nothing;
    nothing.character = character;
    nothing.gpu_changed = true;
    return nothing;
  }
  return calibration::ErrorTable::load(home_dir() + "/data/accuracy/errors.csv")
      .expect(character, gpu.architecture);
}

nlohmann::ordered_json
run_json(const RunOptions& options, const search::Evaluation& result, const TimelineTrace& trace) {
  auto more = explanation_json(options, result.sim, trace);
  more["cache_state"] = options.evaluator.fidelity.cache_state;
  more["expected_error"] = expected_error_json(expected_error(options, result.sim));
  more["power"] = run_power_json(run_power(result.sim, options.gpu.config));
  more["features"] = features_json(result, options.gpu.config);
  return run_result_json(result, options.kernel.spec.name, options.gpu.config.id, more);
}

} // namespace coulomb::cli
