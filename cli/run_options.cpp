// SPDX-License-Identifier: Apache-2.0
#include "cli/run_options.hpp"

#include "base/error.hpp"
#include "base/kernel/launch_description.hpp"
#include "cli/command_line.hpp"
#include "cli/vcd_options.hpp"
#include "kernels/file_oracle.hpp"
#include "sim/isa/cubin.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <thread>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using Strings = std::vector<std::string>;

/// The GPU of a functional run that names none: it needs one for its architecture and limits only.
constexpr const char* kDefaultGpu = "a100-pcie-40gb";
constexpr const char* kDefaultSm86 = "rtx-3090";
constexpr std::int64_t kMostJobs = 1024;

constexpr const char* kAbout =
    "usage: coulomb run SPEC --gpu GPU [options]\n"
    "       coulomb run SPEC --functional [options]\n\n"
    "Simulates one configuration of one kernel: compiles it, executes its machine code with real\n"
    "values, times it, and checks what it computed. SPEC is a kernel of `coulomb kernels`, the "
    "path\n"
    "of a T1 .json file, or a kernel of your own: a .cu file, a .cubin, or a launch .toml. No GPU\n"
    "is needed.\n\n";

constexpr const char* kExamples =
    "\nExamples\n"
    "  coulomb run convolution --gpu a100-pcie-40gb\n"
    "  coulomb run convolution --gpu rtx-3090 --param block_size_x=32 --param block_size_y=4\n"
    "  coulomb run saxpy --gpu a100-pcie-40gb --set sm.l1.size=\"256 KiB\" --json\n"
    "  coulomb run saxpy --gpu a100-pcie-40gb --axis l2.hit_latency=150:300:50 --axis "
    "block_size=128,256\n"
    "  coulomb run my.cu --gpu a100-pcie-40gb --grid 64 --block 128 --arg 'x:float[8192]=normal' "
    "\\\n"
    "      --arg 'y:float[8192]' --arg n:int=8192 --output y --oracle y=expected.npy\n"
    "\nExit codes: 0 ok, 1 a check of --check found something, 2 wrong input, 3 environment, 4 "
    "the\n"
    "kernel is not ok (its status says why)\n";

po::options_description describe_options() {
  po::options_description options("Options");
  auto add = options.add_options();
  add("spec", po::value<std::string>(), "SPEC, if it is not given as a word");
  add("gpu", po::value<std::string>(), "GPU id of `coulomb gpus`, or the path of a .toml file");
  add("param", po::value<Strings>()->composing()->multitoken(),
      "NAME=VALUE: a tunable parameter (default: the spec's)");
  add("set", po::value<Strings>()->composing()->multitoken(),
      "KEY=VALUE: change the GPU; keys: coulomb config list");
  add("axis", po::value<Strings>()->composing(),
      "KEY=V1,V2,... or KEY=FROM:TO:STEP: one run for each value of a GPU key (as --set) or a "
      "tunable parameter (as --param); several give the product");
  add("jobs", po::value<std::int64_t>(), "with --axis: busy worker processes (default: cores)");
  add("against", po::value<std::string>(),
      "SAVED.json, an output of run --json: also say what differs, as coulomb compare does");
  add("sms", po::value<std::int64_t>(), "SMs to simulate; the rest is extrapolated (default 1)");
  add("chip", "simulate every SM and the whole grid");
  add("cache-state", po::value<std::string>()->default_value("warm"),
      "what L2 and TLBs hold at launch: warm (from an identical launch), cold, host-copy");
  add("functional", "execute the whole grid without timing it; --gpu may be left out");
  add("ctas", po::value<std::int64_t>(), "with --functional: only the first N CTAs");
  add("check", po::value<std::string>(),
      "memory,race,sync,init,nan or all: look for such errors (implies --functional)");
  add("hot", po::value<std::int64_t>(),
      "show the N instructions, and source lines, on which warps spent most cycles");
  add("power-trace", po::value<std::string>(),
      "write clock, power and temperature over time, under the board's limits, to this .csv file");
  add("power-seconds", po::value<double>()->default_value(10.0),
      "of kernels back to back that --power-trace covers (up to 3600)");
  add("timeline", po::value<std::string>(),
      "write what each warp did when to this .json file, for ui.perfetto.dev");
  add("timeline-mb", po::value<std::int64_t>()->default_value(20),
      "largest size of that file, MB (1 to 1000)");
  add_vcd_options(options);
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

po::options_description all_options() {
  po::options_description options;
  options.add(describe_options()).add(describe_launch_options());
  return options;
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

bool is_functional(const po::variables_map& values) {
  return values.count("functional") > 0 || values.count("check") > 0;
}

eval::Fidelity functional_fidelity(const po::variables_map& values) {
  for (const char* timed : {"sms", "chip", "cache-state"}) {
    if (values.count(timed) > 0 && !values[timed].defaulted()) {
      throw UserError(fmt::format("run: --{} and --functional exclude each other", timed),
                      "--functional executes the whole grid and times nothing");
    }
  }
  eval::Fidelity f;
  f.rung = "functional";
  if (values.count("ctas") > 0) {
    const auto n = values["ctas"].as<std::int64_t>();
    if (n < 1) {
      throw UserError(fmt::format("run: --ctas is {}; it must be at least 1", n));
    }
    f.ctas = static_cast<std::uint64_t>(n);
  }
  return f;
}

eval::Fidelity fidelity(const po::variables_map& values, const config::GpuConfig& gpu) {
  if (is_functional(values)) {
    return functional_fidelity(values);
  }
  if (values.count("ctas") > 0) {
    throw UserError("run: --ctas goes with --functional",
                    "a timed run chooses its CTAs itself; --sms and --chip say how many SMs");
  }
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
  f.cache_state =
      eval::parse_cache_state(values["cache-state"].as<std::string>(), "run: --cache-state");
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
  if (values.count("check") > 0) {
    options.checks = eval::parse_checks(values["check"].as<std::string>());
  }
  return options;
}

/// --hot, --timeline and --vcd: what explains a timed run.
void read_explanations(const po::variables_map& values, RunOptions& options) {
  for (const char* name : {"hot", "timeline", "power-trace", "vcd"}) {
    if (values.count(name) > 0 && is_functional(values)) {
      throw UserError(fmt::format("run: --{} and --functional exclude each other", name),
                      "it shows where time goes, and --functional times nothing");
    }
  }
  if (values.count("hot") > 0) {
    const auto n = values["hot"].as<std::int64_t>();
    if (n < 1) {
      throw UserError(fmt::format("run: --hot is {}; it must be at least 1 instruction", n));
    }
    options.hot = static_cast<std::size_t>(n);
  }
  const auto megabytes = values["timeline-mb"].as<std::int64_t>();
  if (megabytes < 1 || megabytes > 1000) {
    throw UserError(fmt::format("run: --timeline-mb is {}; allowed: 1 to 1000 MB", megabytes));
  }
  options.timeline_bytes = static_cast<std::size_t>(megabytes) * 1'000'000;
  options.vcd = read_vcd_options(values);
  options.power_seconds = values["power-seconds"].as<double>();
  constexpr double kMostSeconds = 3600.0;
  if (!(options.power_seconds > 0.0 && options.power_seconds <= kMostSeconds)) {
    throw UserError(fmt::format("run: --power-seconds is {}; allowed: above 0, to {}",
                                options.power_seconds, kMostSeconds));
  }
  if (values.count("power-trace") > 0) {
    options.power_trace = values["power-trace"].as<std::string>();
  }
  if (values.count("timeline") > 0) {
    options.timeline = values["timeline"].as<std::string>();
    const auto folder = std::filesystem::path(options.timeline).parent_path();
    if (options.timeline.empty() || (!folder.empty() && !std::filesystem::is_directory(folder))) {
      throw UserError(
          fmt::format("run: --timeline \"{}\": there is no such folder", options.timeline),
          "give it the path of a file to write, such as --timeline run.json");
    }
  }
}

/// --axis, --jobs and --against: several runs, and a comparison.
void read_comparisons(const po::variables_map& values, RunOptions& options) {
  options.axes = strings(values, "axis");
  options.jobs = std::max(1u, std::thread::hardware_concurrency());
  if (values.count("jobs") > 0) {
    const auto n = values["jobs"].as<std::int64_t>();
    if (options.axes.empty()) {
      throw UserError("run: --jobs goes with --axis", "a single run is one process");
    }
    if (n < 1 || n > kMostJobs) {
      throw UserError(fmt::format("run: --jobs is {}; allowed: 1 to {}", n, kMostJobs));
    }
    options.jobs = static_cast<std::uint32_t>(n);
  }
  for (const char* name : {"timeline", "power-trace", "vcd", "output", "against"}) {
    if (!options.axes.empty() && values.count(name) > 0) {
      throw UserError(fmt::format("run: --{} and --axis exclude each other", name),
                      "it is about one run, and --axis makes several");
    }
  }
  if (!options.axes.empty() && options.hot > 0 && !options.json) {
    throw UserError("run: --hot with --axis needs --json", "the table has no room for it");
  }
  if (values.count("against") > 0) {
    options.against = values["against"].as<std::string>();
    if (is_functional(values)) {
      throw UserError("run: --against and --functional exclude each other",
                      "it compares times, and --functional times nothing");
    }
  }
}

std::string gpu_argument(const po::variables_map& values, const kernel::TunableSpec& spec) {
  if (values.count("gpu") > 0) {
    return values["gpu"].as<std::string>();
  }
  if (!is_functional(values)) {
    throw UserError("run: no --gpu is given", "coulomb gpus lists the GPUs there are");
  }
  const bool sm_86 =
      !spec.cubin_path.empty() && isa::Cubin::load(spec.cubin_path).architecture == 86;
  return sm_86 ? kDefaultSm86 : kDefaultGpu;
}

/// Reads what the worker will read, so that a wrong file is wrong input, and known at once.
void check_files(const RunOptions& options) {
  const auto& expected = options.evaluator.expected;
  if (options.kernel.tunable && expected.empty() && options.kernel.outputs.empty()) {
    return;
  }
  const auto arguments = options.kernel.spec.launch(options.configuration).arguments;
  for (const kernel::Argument& a : arguments) {
    if (a.fill.kind == kernel::FillKind::npy || a.fill.kind == kernel::FillKind::file) {
      (void)kernel::initial_contents(a);
    }
  }
  for (const auto& e : expected) {
    (void)kernels::FileOracle(e, kernel::find_argument(arguments, e.argument));
  }
  for (const auto& o : options.kernel.outputs) {
    kernel::check_shape(o, kernel::find_argument(arguments, o.argument));
  }
}

} // namespace

RunOptions parse_run_options(const Strings& args) {
  const auto values = parse_options("run", args, all_options(), {"spec"});
  RunOptions options;
  options.help = values.count("help") > 0;
  options.json = values.count("json") > 0;
  if (options.help) {
    return options;
  }
  Strings parameters = strings(values, "param");
  Strings overrides = strings(values, "set");
  options.spec_argument = values.count("spec") > 0 ? values["spec"].as<std::string>() : "";
  reclaim_spec(parameters, options.spec_argument);
  reclaim_spec(overrides, options.spec_argument);
  if (options.spec_argument.empty()) {
    throw UserError("run: no kernel is given", "coulomb kernels lists the kernels there are");
  }
  if (values.count("gpu") == 0 && !is_functional(values)) {
    throw UserError("run: no --gpu is given", "coulomb gpus lists the GPUs there are");
  }
  options.kernel = choose_kernel(options.spec_argument, values);
  options.configuration = options.kernel.spec.configuration(parameters);
  options.gpu_argument = gpu_argument(values, options.kernel.spec);
  options.gpu = config::load_gpu(options.gpu_argument, overrides);
  options.evaluator = evaluator_options(values, options.gpu.config);
  read_explanations(values, options);
  read_comparisons(values, options);
  options.evaluator.expected = options.kernel.expected;
  options.evaluator.outputs = options.kernel.outputs;
  check_files(options);
  return options;
}

std::string run_help() {
  std::ostringstream out;
  out << kAbout << describe_options() << '\n'
      << describe_launch_options() << launch_grammar() << kExamples;
  return out.str();
}

} // namespace coulomb::cli
