// SPDX-License-Identifier: Apache-2.0
#include "cli/run_axis.hpp"

#include "base/error.hpp"
#include "cli/axis.hpp"
#include "cli/axis_report.hpp"
#include "cli/command_line.hpp"
#include "cli/json_output.hpp"
#include "cli/parallel.hpp"
#include "cli/run_evaluation.hpp"
#include "cli/run_explain.hpp"
#include "cli/scratch_directory.hpp"
#include "search/driver/interruption.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/ranges.h>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <unistd.h>

namespace coulomb::cli {
namespace {

using Strings = std::vector<std::string>;
using Json = nlohmann::ordered_json;

/// The command line of a single run: without the options that make several.
Strings without_axes(const Strings& args) {
  Strings rest;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--axis" || args[i] == "--jobs") {
      ++i; // its value
    } else if (!args[i].starts_with("--axis=") && !args[i].starts_with("--jobs=")) {
      rest.push_back(args[i]);
    }
  }
  return rest;
}

void check_given_once(const std::vector<Axis>& axes, const RunOptions& options) {
  for (const Axis& axis : axes) {
    if (std::ranges::find(options.gpu.changed, axis.key) != options.gpu.changed.end()) {
      throw UserError(
          fmt::format("run: --axis {} and --set {} exclude each other", axis.key, axis.key),
          "leave one of them out");
    }
  }
}

/// A run for each point. Throws UserError with what is wrong with any of them.
std::vector<AxisRun> plan_runs(const Strings& args, const std::vector<Axis>& axes) {
  constexpr std::size_t kShown = 10;
  std::vector<AxisRun> runs;
  Strings mistakes;
  std::string hint;
  for (const auto& point : product(axes)) {
    AxisRun run;
    run.args = without_axes(args);
    for (std::size_t a = 0; a < axes.size(); ++a) {
      run.values.push_back(axes[a].values[point[a]]);
      run.args.push_back(axes[a].of_kernel ? "--param" : "--set");
      run.args.push_back(axes[a].key + "=" + run.values.back());
    }
    try {
      run.options = parse_run_options(run.args);
    } catch (const UserError& e) {
      if (std::ranges::find(mistakes, e.what()) == mistakes.end()) {
        mistakes.emplace_back(e.what());
        hint = e.hint();
      }
    }
    runs.push_back(std::move(run));
  }
  if (mistakes.size() > kShown) {
    const std::size_t more = mistakes.size() - kShown;
    mistakes.resize(kShown);
    mistakes.push_back(fmt::format("and {} more mistakes in other runs of the axes", more));
  }
  if (!mistakes.empty()) {
    throw UserError(fmt::format("{}", fmt::join(mistakes, "\nerror: ")), hint);
  }
  return runs;
}

void show_progress(std::size_t done, std::size_t all) {
  if (::isatty(STDERR_FILENO) != 0) {
    fmt::print(stderr, "\r\x1b[Krun   {} of {}{}", done, all, done == all ? "\n" : "");
  }
}

/// For each run why its output is not compared, or nothing. The reference lies in `folder`.
Strings add_references(std::vector<AxisRun>& runs, const std::string& folder) {
  std::optional<search::ReferenceOutput> reference; // one serves all
  Strings unchecked;
  for (AxisRun& run : runs) {
    unchecked.push_back(add_reference(run.options, folder, reference));
  }
  return unchecked;
}

void evaluate(std::vector<AxisRun>& runs,
              const Strings& unchecked,
              std::uint32_t jobs,
              search::Interruption& interruption) {
  std::vector<std::unique_ptr<search::Evaluator>> evaluators(runs.size());
  search::EvaluatorOptions shared;
  shared.jobs = jobs;
  const auto pool = search::make_worker_pool(shared); // ends before the evaluators
  std::mutex mutex;
  std::size_t done = 0;
  for_each_index(runs.size(), jobs, [&](std::size_t i) {
    AxisRun& run = runs[i];
    if (interruption.stop()) {
      return;
    }
    run.options.evaluator.pool = pool.get();
    run.options.evaluator.profile = profile_request(run.options);
    evaluators[i] = std::make_unique<search::Evaluator>(
        run.options.kernel.spec, run.options.gpu.config, run.options.evaluator);
    const search::Interruption::Guard guard(interruption, *evaluators[i]);
    evaluators[i]->evaluate({{i, run.options.configuration}}, [&](const search::Evaluation& e) {
      run.result = e;
      run.finished = true;
    });
    if (!run.result.sim.output_check.checked) {
      run.result.sim.output_check.reference = unchecked[i];
    }
    const std::lock_guard lock(mutex);
    show_progress(++done, runs.size());
  });
}

Json runs_json(const std::vector<Axis>& axes, const std::vector<AxisRun>& runs) {
  Json all = Json::array();
  for (const AxisRun& run : runs) {
    Json j = run_json(run.options, run.result, {});
    Json values = Json::object();
    for (const Axis& axis : axes) {
      values[axis.key] = j[axis.of_kernel ? "params" : "gpu_parameters"][axis.key];
    }
    j["axis"] = std::move(values);
    all.push_back(std::move(j));
  }
  return all;
}

} // namespace

int run_axes(const Strings& args, const RunOptions& options) {
  const std::vector<Axis> axes = parse_axes(options.axes, options.kernel.spec, options.gpu.config);
  check_given_once(axes, options);
  std::vector<AxisRun> runs = plan_runs(args, axes);
  const ScratchDirectory scratch;
  const Strings unchecked = add_references(runs, scratch.path());
  search::Interruption interruption("stopping; what is finished will be reported");
  evaluate(runs, unchecked, options.jobs, interruption);
  const std::size_t asked = runs.size();
  std::erase_if(runs, [](const AxisRun& run) { return !run.finished; });
  if (options.json) {
    fmt::print("{}\n", json_text(runs_json(axes, runs)));
  } else if (!runs.empty()) {
    fmt::print("{}reproduce  {}\n", axis_report_text(axes, runs), shell_line("run", args));
  }
  std::fflush(stdout);
  if (runs.size() < asked) {
    fmt::print(stderr, "interrupted: {} of {} runs finished\n", runs.size(), asked);
    return search::kInterruptedExit;
  }
  const auto failed = std::ranges::count_if(
      runs, [](const AxisRun& run) { return run.result.status != eval::EvalStatus::ok; });
  if (failed > 0) {
    fmt::print(stderr, "{} of {} runs are not ok\n", failed, runs.size());
    return 4;
  }
  const bool found = std::ranges::any_of(
      runs, [](const AxisRun& run) { return !run.result.sim.findings.empty(); });
  return found ? 1 : 0;
}

} // namespace coulomb::cli
