// SPDX-License-Identifier: Apache-2.0
#include "calibration/points/probe_runner.hpp"

#include "base/error.hpp"
#include "base/npy.hpp"
#include "calibration/points/program_cubin.hpp"

#include <cstring>
#include <filesystem>
#include <optional>

namespace coulomb::calibration::points {
namespace {

/// Elements of an int64 output as numbers; cycle counts are far below 2^53.
std::vector<double> read_output(const std::string& path) {
  const NpyArray array = read_npy(path);
  std::vector<double> values;
  if (array.dtype != "<i8") {
    return values;
  }
  for (std::size_t at = 0; at + sizeof(std::int64_t) <= array.data.size();
       at += sizeof(std::int64_t)) {
    std::int64_t v = 0;
    std::memcpy(&v, array.data.data() + at, sizeof v);
    values.push_back(static_cast<double>(v));
  }
  return values;
}

/// Puts the probe's program, if it has one, in the place of the compiled code. Returns why it could
/// not.
std::string replace_code(kernel::LaunchDescription& launch,
                         const MeasurementPlan& plan,
                         const ProbeRun& run,
                         const config::GpuConfig& gpu,
                         const std::string& path,
                         const ProbeRunnerOptions& options) {
  const Probe& probe = plan.probes.at(run.probe);
  if (probe.program.empty()) {
    return {};
  }
  const SassProgram program =
      load_program(plan.folder + "/" + probe.program, all_values(probe, run.values));
  return use_program(launch, program, gpu.architecture, path, options.compile_deadline_s);
}

} // namespace

ProbeResult interrupted_probe() {
  ProbeResult result;
  result.problem = "interrupted";
  result.interrupted = true;
  return result;
}

ProbeResult run_probe(const MeasurementPlan& plan,
                      const ProbeRun& run,
                      const config::GpuConfig& gpu,
                      std::size_t index,
                      const ProbeRunnerOptions& options) {
  const Probe& probe = plan.probes.at(run.probe);
  kernel::LaunchDescription launch = make_launch(probe, run.values, plan.folder);
  const std::string name = probe.program.empty() ? probe.source : probe.program;
  const std::string cubin = fmt::format("{}/{}.cubin", options.scratch, index);
  ProbeResult result;
  result.problem = replace_code(launch, plan, run, gpu, cubin, options);
  if (!result.problem.empty()) {
    return result;
  }
  search::EvaluatorOptions evaluation;
  evaluation.compile_deadline_s = options.compile_deadline_s;
  evaluation.sim_deadline_s = options.sim_deadline_s;
  evaluation.check_output = false;
  if (probe.chip) {
    evaluation.fidelity = {.rung = "chip", .sms = gpu.sms, .max_waves = 0};
  }
  evaluation.fidelity.cache_state = probe.cache_state;
  std::string path;
  if (!launch.arguments.empty() && launch.arguments.front().name == "out") {
    path = fmt::format("{}/{}.npy", options.scratch, index);
    launch.outputs.push_back({launch.arguments.front().name, path, {}});
    evaluation.outputs = launch.outputs;
  }
  search::Evaluator evaluator(kernel::make_spec(launch), gpu, evaluation);
  std::optional<search::Interruption::Guard> guard;
  if (options.interruption != nullptr) {
    guard.emplace(*options.interruption, evaluator);
  }
  search::Evaluation found;
  const std::size_t delivered =
      evaluator.evaluate({{0, {}}}, [&](const search::Evaluation& e) { found = e; });
  std::filesystem::remove(cubin);
  if (delivered == 0) {
    return interrupted_probe();
  }
  if (found.status != eval::EvalStatus::ok) {
    result.problem = fmt::format("{}: {}: {}", name, eval::to_string(found.status), found.message);
    return result;
  }
  result.cycles = found.sim.cycles;
  result.time_ns = found.sim.time_ms * 1e6;
  result.ctas_per_sm = found.sim.occupancy.ctas_per_sm;
  result.launch_overhead_us = found.sim.launch_overhead_ms * 1e3;
  if (!path.empty()) {
    result.out = read_output(path);
    std::filesystem::remove(path);
  }
  return result;
}

} // namespace coulomb::calibration::points
