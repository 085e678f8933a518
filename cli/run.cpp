// SPDX-License-Identifier: Apache-2.0
#include "cli/run.hpp"

#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"
#include "base/kernel/spec_lookup.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/json_output.hpp"
#include "cli/run_report.hpp"
#include "search/engine/evaluator.hpp"

#include <cmath>
#include <cstdio>
#include <fmt/ranges.h>
#include <sstream>
#include <unistd.h>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using Strings = std::vector<std::string>;

constexpr const char* kAbout =
    "usage: coulomb run SPEC --gpu GPU [options]\n\n"
    "Simulates one configuration of one kernel: compiles it, executes its machine code with real\n"
    "values, times it, and checks what it computed. SPEC is a kernel of `coulomb kernels` or the\n"
    "path of a T1 .json file. No GPU is needed.\n\n";

constexpr const char* kExamples =
    "\nExamples\n"
    "  coulomb run convolution --gpu a100-pcie-40gb\n"
    "  coulomb run convolution --gpu rtx-3090 --param block_size_x=32 --param block_size_y=4\n"
    "  coulomb run saxpy --gpu a100-pcie-40gb --set sm.l1.size=\"256 KiB\" --json\n";

po::options_description describe_options() {
  po::options_description options("Options");
  auto add = options.add_options();
  add("spec", po::value<std::string>(), "SPEC, if it is not given as a word");
  add("gpu", po::value<std::string>(), "GPU id of `coulomb gpus`, or the path of a .toml file");
  add("param", po::value<Strings>()->composing()->multitoken(),
      "NAME=VALUE: a tunable parameter (default: the spec's)");
  add("set", po::value<Strings>()->composing()->multitoken(),
      "KEY=VALUE: change the GPU; keys: coulomb config list");
  add("sms", po::value<std::int64_t>(), "SMs to simulate; the rest is extrapolated (default 1)");
  add("chip", "simulate every SM and the whole grid");
  add("seed", po::value<std::int64_t>()->default_value(0), "seed of the simulation");
  add("cycle-limit", po::value<std::int64_t>()->default_value(2'000'000'000),
      "SM cycles after which the kernel counts as endless (status timeout)");
  add("timeout", po::value<double>()->default_value(600.0), "seconds for the simulation");
  add("compile-timeout", po::value<double>()->default_value(120.0), "seconds for the compiler");
  add("no-check", "do not compare the kernel's output with its oracle");
  add("json", "print one JSON object");
  add("help,h", "print this help");
  return options;
}

std::string help_text() {
  std::ostringstream out;
  out << kAbout << describe_options() << kExamples;
  return out.str();
}

/// An option with several values swallows a SPEC that follows it; no NAME=VALUE lacks the '='.
void reclaim_spec(Strings& assignments, std::string& spec) {
  for (auto it = assignments.begin(); spec.empty() && it != assignments.end(); ++it) {
    if (it->find('=') == std::string::npos) {
      spec = *it;
      assignments.erase(it);
      return;
    }
  }
}

double positive_seconds(const po::variables_map& values, const char* name) {
  const double s = values[name].as<double>();
  if (!(s > 0.0) || !std::isfinite(s)) {
    throw UserError(fmt::format("run: --{} is {}; it must be above 0 seconds", name, s));
  }
  return s;
}

eval::Fidelity fidelity(const po::variables_map& values, const config::GpuConfig& gpu) {
  eval::Fidelity f;
  if (values.count("chip") > 0) {
    if (values.count("sms") > 0) {
      throw UserError("run: --sms and --chip exclude each other",
                      "--chip simulates all SMs; leave one of them out");
    }
    f.rung = "chip";
    f.sms = gpu.sms;
  } else if (values.count("sms") > 0) {
    const auto n = values["sms"].as<std::int64_t>();
    if (n < 1 || n > gpu.sms) {
      throw UserError(fmt::format("run: --sms is {}; {} has {} SMs, allowed: 1 to {}", n, gpu.id,
                                  gpu.sms, gpu.sms));
    }
    f.sms = static_cast<std::uint32_t>(n);
  }
  return f;
}

search::EvaluatorOptions evaluator_options(const po::variables_map& values,
                                           const config::GpuConfig& gpu) {
  search::EvaluatorOptions options;
  options.fidelity = fidelity(values, gpu);
  const auto limit = values["cycle-limit"].as<std::int64_t>();
  if (limit < 1) {
    throw UserError(fmt::format("run: --cycle-limit is {}; it must be at least 1 cycle", limit));
  }
  options.cycle_limit = static_cast<std::uint64_t>(limit);
  options.sim_deadline_s = positive_seconds(values, "timeout");
  options.compile_deadline_s = positive_seconds(values, "compile-timeout");
  const auto seed = values["seed"].as<std::int64_t>();
  if (seed < 0) {
    throw UserError(fmt::format("run: --seed is {}; it must not be negative", seed));
  }
  options.seed = static_cast<std::uint64_t>(seed);
  options.check_output = values.count("no-check") == 0;
  return options;
}

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

search::Evaluation evaluate_one(search::Evaluator& evaluator,
                                const kernel::Configuration& configuration) {
  search::Evaluation result;
  const bool show = ::isatty(STDERR_FILENO) != 0;
  if (show) {
    fmt::print(stderr, "compiling and simulating ...\r");
  }
  evaluator.evaluate({{0, configuration}}, [&](const search::Evaluation& e) { result = e; });
  if (show) {
    fmt::print(stderr, "\x1b[K");
  }
  return result;
}

} // namespace

int run_run(const Strings& args) {
  const auto values = parse_options("run", args, describe_options(), {"spec"});
  if (values.count("help") > 0) {
    fmt::print("{}", help_text());
    return 0;
  }
  Strings parameters = strings(values, "param");
  Strings overrides = strings(values, "set");
  std::string spec_name = values.count("spec") > 0 ? values["spec"].as<std::string>() : "";
  reclaim_spec(parameters, spec_name);
  reclaim_spec(overrides, spec_name);
  if (spec_name.empty()) {
    throw UserError("run: no kernel is given", "coulomb kernels lists the kernels there are");
  }
  if (values.count("gpu") == 0) {
    throw UserError("run: no --gpu is given", "coulomb gpus lists the GPUs there are");
  }
  const auto spec = kernel::find_spec(spec_name);
  const auto configuration = spec.configuration(parameters);
  const auto gpu = config::load_gpu(values["gpu"].as<std::string>(), overrides);

  search::Evaluator evaluator(spec, gpu.config, evaluator_options(values, gpu.config));
  const search::Evaluation result = evaluate_one(evaluator, configuration);
  if (values.count("json") > 0) {
    fmt::print("{}\n", run_result_json(result, spec.name, gpu.config.id));
  } else {
    const RunReport report{
        .kernel = spec.name,
        .gpu_line = gpu_line(gpu),
        .reproduce = shell_line("run", args),
        .search = shell_line("search", {spec_name, "--gpu", values["gpu"].as<std::string>()})};
    fmt::print("{}", run_report_text(report, result, gpu.config));
  }
  std::fflush(stdout);
  if (result.status != eval::EvalStatus::ok) {
    fmt::print(stderr, "{}: {}\n", eval::to_string(result.status), result.message);
    return 4;
  }
  return 0;
}

} // namespace coulomb::cli
