// SPDX-License-Identifier: Apache-2.0
#include "cli/validate_points.hpp"

#include "base/text.hpp"
#include "calibration/points/points_validation.hpp"
#include "calibration/points/probe_runner.hpp"
#include "cli/parallel.hpp"
#include "cli/scratch_directory.hpp"

#include <cstdio>
#include <mutex>
#include <unistd.h>

namespace coulomb::cli {
namespace {

namespace points = calibration::points;
using Gpus = std::map<std::string, config::ResolvedGpu>;

Gpus load_gpus(const points::MeasurementPlan& plan, const std::vector<std::string>& overrides) {
  Gpus gpus;
  for (const auto& [name, choice] : plan.gpus) {
    auto all = choice.overrides;
    all.insert(all.end(), overrides.begin(), overrides.end());
    gpus.emplace(name, config::load_gpu(choice.gpu, all));
  }
  return gpus;
}

void show_progress(std::size_t done, std::size_t all) {
  if (::isatty(STDERR_FILENO) == 1) {
    fmt::print(stderr, "\r\033[Kvalidate   {} of {} probe runs{}", done, all,
               done == all ? "\n" : "");
  }
}

/// Runs share nothing, so they may run at a time; each result goes to its own place.
std::vector<points::ProbeResult> execute(const std::vector<points::ProbeRun>& runs,
                                         const points::MeasurementPlan& plan,
                                         const Gpus& gpus,
                                         unsigned jobs,
                                         search::Interruption& interruption) {
  const ScratchDirectory scratch;
  const points::ProbeRunnerOptions options{.scratch = scratch.path(),
                                           .interruption = &interruption};
  std::vector<points::ProbeResult> results(runs.size(), points::interrupted_probe());
  std::size_t done = 0;
  std::mutex mutex;
  for_each_index(runs.size(), jobs, [&](std::size_t i) {
    if (interruption.stop()) {
      return;
    }
    results[i] = points::run_probe(plan, runs[i], gpus.at(runs[i].gpu).config, i, options);
    const std::lock_guard lock(mutex);
    show_progress(++done, runs.size());
  });
  return results;
}

} // namespace

int validate_points(const ValidatePointsOptions& options) {
  const auto table = points::read_points(options.table);
  const auto plan = points::MeasurementPlan::load(home_dir() + "/kernels/probes");
  const Gpus gpus = load_gpus(plan, options.overrides);
  search::Interruption interruption("stopping; what is finished will be reported");
  auto report = points::validate_points(table, plan, gpus, [&](const auto& runs) {
    return execute(runs, plan, gpus, options.jobs, interruption);
  });
  report.table = options.table;
  report.command = options.command;
  const std::string json = points::to_json_text(report) + "\n";
  if (!options.out.empty()) {
    write_file_atomically(options.out, json);
  }
  fmt::print("{}", options.json ? json : points::to_text(report));
  return report.interrupted ? search::kInterruptedExit : 0;
}

} // namespace coulomb::cli
