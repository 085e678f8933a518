// SPDX-License-Identifier: Apache-2.0
#include "cli/validate_points.hpp"

#include "base/text.hpp"
#include "calibration/points/points_validation.hpp"
#include "calibration/points/probe_runner.hpp"
#include "cli/scratch_directory.hpp"

#include <atomic>
#include <cstdio>
#include <exception>
#include <mutex>
#include <thread>
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
                                         unsigned jobs) {
  const ScratchDirectory scratch;
  const points::ProbeRunnerOptions options{.scratch = scratch.path()};
  std::vector<points::ProbeResult> results(runs.size());
  std::atomic<std::size_t> next = 0;
  std::size_t done = 0;
  std::exception_ptr error;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t i = next++; i < runs.size(); i = next++) {
      try {
        results[i] = points::run_probe(plan, runs[i], gpus.at(runs[i].gpu).config, i, options);
      } catch (...) {
        const std::lock_guard lock(mutex);
        error = std::current_exception();
        next = runs.size();
      }
      const std::lock_guard lock(mutex);
      show_progress(++done, runs.size());
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < jobs; ++t) {
      threads.emplace_back(work);
    }
  }
  if (error) {
    std::rethrow_exception(error);
  }
  return results;
}

} // namespace

int validate_points(const ValidatePointsOptions& options) {
  const auto table = points::read_points(options.table);
  const auto plan = points::MeasurementPlan::load(home_dir() + "/kernels/probes");
  const Gpus gpus = load_gpus(plan, options.overrides);
  auto report = points::validate_points(
      table, plan, gpus, [&](const auto& runs) { return execute(runs, plan, gpus, options.jobs); });
  report.table = options.table;
  report.command = options.command;
  const std::string json = points::to_json_text(report) + "\n";
  if (!options.out.empty()) {
    write_file_atomically(options.out, json);
  }
  fmt::print("{}", options.json ? json : points::to_text(report));
  return 0;
}

} // namespace coulomb::cli
