// SPDX-License-Identifier: Apache-2.0
#include "cli/kernel_runs.hpp"

#include "base/text.hpp"
#include "cli/run_evaluation.hpp"
#include "cli/run_power.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace coulomb::cli {
namespace {

namespace check = calibration::power;

std::string spec_of(const std::string& name) {
  const std::string file = fmt::format("{}/kernels/power/{}.toml", home_dir(), name);
  return std::filesystem::exists(file) ? file : name;
}

} // namespace

check::SimulationAnswer
KernelRuns::operator()(const std::string& gpu, const std::string& spec, double mhz) {
  for (const auto& [key, known] : runs_) {
    const auto& [known_gpu, known_spec, known_mhz] = key;
    if (known_gpu != gpu || known_spec != spec || !known.kernel) {
      continue;
    }
    if (known_mhz == mhz) {
      return known;
    }
    const check::SimulatedKernel& kernel = *known.kernel;
    if (kernel.retiming.exact) {
      return {
          check::SimulatedKernel{at_clock(kernel.activity, kernel.retiming, mhz), kernel.retiming},
          {}};
    }
  }
  return runs_[{gpu, spec, mhz}] = simulate(gpu, spec, mhz);
}

check::SimulationAnswer
KernelRuns::simulate(const std::string& gpu, const std::string& spec, double mhz) const {
  std::vector<std::string> args = {
      spec_of(spec), "--gpu", gpu, "--set", fmt::format("sm_clock_mhz={}", mhz), "--no-check"};
  for (const std::string& set : overrides_) {
    args.insert(args.end(), {"--set", set});
  }
  RunOptions options = parse_run_options(args);
  const search::Evaluation result = evaluate_run(options);
  const auto power = run_power(result.sim, options.gpu.config);
  if (!power) {
    return {std::nullopt, fmt::format("{}: {}", eval::to_string(result.status), result.message)};
  }
  return {check::SimulatedKernel{power::activity_of(result.sim.counters, result.sim.time_ms, mhz),
                                 power->retiming},
          {}};
}

} // namespace coulomb::cli
