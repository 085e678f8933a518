// SPDX-License-Identifier: Apache-2.0
#include "cli/search_options.hpp"

#include "base/error.hpp"
#include "calibration/noise/model_noise.hpp"
#include "calibration/robust/robust_metrics.hpp"
#include "cli/command_line.hpp"
#include "search/driver/strategy_catalogue.hpp"
#include "search/ga/topology.hpp"
#include "search/objective/weighted_reward.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <limits>
#include <sstream>
#include <thread>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using Strings = std::vector<std::string>;

constexpr std::int64_t kMostDraws = 64; // each has an evaluator and a thread

constexpr const char* kUsage =
    "usage: coulomb search SPEC --gpu GPU [options]\n"
    "       coulomb search status DIR | best DIR [--top N] | export DIR --format csv|json|t4|h5\n"
    "       coulomb search merge DIR DIR... --out DIR\n"
    "       coulomb search SPEC --gpu GPU --out DIR --island K/N   one of N processes on DIR\n";

std::string strategy_help() {
  std::string text;
  for (const auto& entry : search::strategies()) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", entry.name, entry.description);
  }
  return text;
}

po::options_description describe_options() {
  po::options_description options("Options");
  auto add = options.add_options();
  add("spec", po::value<std::string>(),
      "tunable kernel: a name, or the path of a T1 .json or tuning .toml");
  add("gpu", po::value<std::string>(), "GPU id or file (with replay:TABLE: the table's board)");
  add("budget", po::value<std::int64_t>()->default_value(200), "configurations to evaluate");
  add("jobs", po::value<std::int64_t>(), "busy worker processes (default: cores)");
  add("seed", po::value<std::int64_t>()->default_value(1), "of the random streams");
  add("strategy", po::value<std::string>(), strategy_help().c_str());
  add("lookahead", po::value<std::int64_t>(),
      "configurations proposed before the outcome of the first of them is known; the result "
      "depends on it, and no more workers than this can be busy (default: a 25th of the "
      "budget, 4 to 8)");
  add("objective", po::value<Strings>()->composing(),
      "what to make small: time (default), an expression over metrics such as "
      "\"dram__bytes_read.sum / time_ms\" (\"max EXPRESSION\": large), or reward; given more than "
      "once: the front of all");
  add("weights", po::value<std::string>(),
      "of a reward, e.g. ipc=0.6,power=0.3,latency=0.1: terms are ratios to the first "
      "configuration "
      "that ran");
  add("weights-end", po::value<std::string>(),
      "of a reward at the end of the budget, reached linearly (default: as at the start; without "
      "--weights the power's weight is halved)");
  add("gene", po::value<Strings>()->composing(),
      "KEY=V1,V2,...: search this key of the GPU, too, e.g. \"sm.l1.size=192 KiB,256 KiB\"");
  add("fence", po::value<std::int64_t>(),
      "most steps along the parameters' values between a child and its parent (default: no bound)");
  add("robust", po::value<std::int64_t>(),
      "evaluate each configuration on so many perturbed GPUs, too (draws of the model noise)");
  add("robust-score", po::value<std::string>()->default_value("mean"),
      "what is searched with --robust and without --objective: mean, cvar (of the slowest quarter "
      "of the draws) or worst time");
  add("noise", po::value<std::string>(),
      "file of the model noise of --robust (default: configs/noise/default.toml)");
  add("silicon", po::value<std::string>(),
      "replay:TABLE, recorded measurements (a path, or a name below data/silicon), or device:N, "
      "with --silicon-budget or --blind");
  add("blind", "search with --silicon alone, without the simulator");
  add_ladder_options(options);
  add_cluster_options(options);
  add("out", po::value<std::string>(), "directory (default: runs/SPEC-GPU-sSEED)");
  add("dry-run", "evaluate a few configurations and estimate what the budget would take");
  add("resume", "continue the search in that directory");
  add("set", po::value<Strings>()->composing(), "KEY=VALUE: change the GPU");
  add("sms", po::value<std::int64_t>()->default_value(1), "SMs simulated per configuration");
  add("chip", "simulate every SM and the whole grid");
  add("cache-state", po::value<std::string>()->default_value("warm"),
      "what L2 and TLBs hold at launch: warm (from an identical launch), cold, host-copy");
  add("sim-timeout", po::value<double>()->default_value(600.0), "seconds per simulation");
  add("predictions", po::value<std::string>(),
      "directory of earlier simulations, of any search: what is there is not simulated again");
  add("compile-timeout", po::value<double>()->default_value(120.0), "seconds per compilation");
  add("json", "print one JSON object");
  add("help,h", "print this help");
  return options;
}

std::int64_t
in_range(const po::variables_map& values, const char* name, std::int64_t least, std::int64_t most) {
  const auto n = values[name].as<std::int64_t>();
  if (n < least || n > most) {
    throw UserError(fmt::format("search: --{} is {}; allowed: {} to {}", name, n, least, most));
  }
  return n;
}

double seconds(const po::variables_map& values, const char* name) {
  const double s = values[name].as<double>();
  if (!(s > 0.0) || !std::isfinite(s)) {
    throw UserError(fmt::format("search: --{} is {}; it must be above 0 seconds", name, s));
  }
  return s;
}

std::string
required(const po::variables_map& values, const char* name, const char* message, const char* hint) {
  if (values.count(name) == 0) {
    throw UserError(message, hint);
  }
  return values[name].as<std::string>();
}

void read_objectives(const po::variables_map& values, SearchOptions& options) {
  if (values.count("objective") > 0) {
    options.objectives.objectives = strings(values, "objective");
  }
  const auto& objectives = options.objectives.objectives;
  const bool rewarded =
      std::find(objectives.begin(), objectives.end(), search::kReward) != objectives.end();
  if (!rewarded) {
    for (const char* name : {"weights", "weights-end"}) {
      if (values.count(name) > 0) {
        throw UserError(fmt::format("search: --{} is of --objective reward only", name));
      }
    }
    return;
  }
  options.objectives.reward = search::default_reward_schedule();
  auto& [start, end] = options.objectives.reward;
  if (values.count("weights") > 0) {
    start = search::parse_reward_weights(values["weights"].as<std::string>());
    end = start;
  }
  if (values.count("weights-end") > 0) {
    end = search::parse_reward_weights(values["weights-end"].as<std::string>());
  }
}

/// Silicon after the simulator: draws are of those promoted, and the objective stays the time.
void read_ladder(const po::variables_map& values, SearchOptions& options) {
  options.ladder = read_ladder_options(values);
  if (options.ladder.silicon.empty()) {
    return;
  }
  if (options.objectives.objectives != std::vector<std::string>{"time"}) {
    throw UserError("search: --silicon-budget measures times; the objective must be time");
  }
  if (!options.genes.empty()) {
    throw UserError("search: --gene changes the simulated GPU; silicon is what it is");
  }
  constexpr std::int64_t kUsualDraws = 8;
  options.robust = static_cast<std::uint64_t>(
      values.count("robust") > 0 ? in_range(values, "robust", 0, kMostDraws) : kUsualDraws);
  if (options.ladder.without.contains("noise") || options.ladder.without.contains("simulator")) {
    options.robust = 0;
  }
  options.robust_score =
      calibration::robust_score_from_string(values["robust-score"].as<std::string>());
  options.noise = values.count("noise") > 0 ? values["noise"].as<std::string>()
                                            : calibration::default_model_noise();
}

/// After read_objectives() and read_ladder().
void read_robust(const po::variables_map& values, SearchOptions& options) {
  if (!options.ladder.silicon.empty()) {
    return;
  }
  const bool scored = !values["robust-score"].defaulted();
  if (values.count("robust") == 0) {
    if (scored || values.count("noise") > 0) {
      throw UserError(
          fmt::format("search: --{} is of a robust search", scored ? "robust-score" : "noise"),
          "add --robust 8: draws of the model noise");
    }
    return;
  }
  options.robust = static_cast<std::uint64_t>(in_range(values, "robust", 1, kMostDraws));
  if (values.count("blind") > 0) {
    throw UserError("search: --robust perturbs the simulated GPU; --blind simulates none");
  }
  options.noise = values.count("noise") > 0 ? values["noise"].as<std::string>()
                                            : calibration::default_model_noise();
  options.robust_score =
      calibration::robust_score_from_string(values["robust-score"].as<std::string>());
  const std::string objective = calibration::robust_metric(options.robust_score);
  if (values.count("objective") == 0) {
    options.objectives.objectives = {objective};
  } else if (scored) {
    throw UserError("search: --robust-score names the objective where --objective does not",
                    fmt::format("--objective {} says the same", objective));
  }
}

/// Refuses what would change nothing.
void check_strategy_options(const po::variables_map& values,
                            const search::StrategyEntry& strategy) {
  if (values.count("fence") > 0 && !strategy.children) {
    throw UserError(fmt::format(
        "search: --fence binds children to their parents; --strategy {} has none", strategy.name));
  }
  const bool processes = values.count("island") > 0;
  for (const char* name : {"islands", "topology"}) {
    const bool of_processes = processes && name == std::string_view("topology");
    if (!values[name].defaulted() && !strategy.islands && !of_processes) {
      throw UserError(
          fmt::format("search: --{} is of islands; --strategy {} has none", name, strategy.name),
          "--strategy ga-islands has");
    }
  }
}

void read_strategy(const po::variables_map& values, std::int64_t most, SearchOptions& options) {
  const bool several = options.objectives.objectives.size() > 1;
  const auto& strategy = search::find_strategy(
      values.count("strategy") > 0
          ? values["strategy"].as<std::string>()
          : std::string(several ? search::kDefaultFrontStrategy : search::kDefaultStrategy));
  if (several && !strategy.several_objectives) {
    throw UserError(fmt::format("search: --strategy {} takes one objective, and there are {}",
                                strategy.name, options.objectives.objectives.size()),
                    "leave --strategy out, or name nsga2");
  }
  options.strategy = strategy.name;
  check_strategy_options(values, strategy);
  if (values.count("fence") > 0) {
    options.fence = static_cast<std::uint64_t>(in_range(values, "fence", 1, most));
  }
  if (values.count("island") > 0 && (strategy.islands || strategy.name == "exhaustive")) {
    throw UserError(
        fmt::format("search: --island and --strategy {} exclude each other", strategy.name),
        strategy.islands ? "each process is an island: leave --strategy out"
                         : "each island would evaluate the same configurations");
  }
  options.islands = static_cast<std::uint64_t>(in_range(values, "islands", 1, 1024));
  options.topology = values["topology"].as<std::string>();
  (void)search::make_topology(options.topology, 1);
}

/// The TABLE of --silicon replay:TABLE; empty if the simulator answers.
std::string silicon_table(const po::variables_map& values) {
  constexpr std::string_view kReplay = "replay:";
  if (values.count("silicon") == 0) {
    if (values.count("blind") > 0) {
      throw UserError("search: --blind needs measurements", "--silicon replay:TABLE --blind");
    }
    return {};
  }
  const auto text = values["silicon"].as<std::string>();
  const bool replay = text.starts_with(kReplay) && text.size() > kReplay.size();
  if (!replay && !text.starts_with("device:")) {
    throw UserError(
        fmt::format("search: --silicon is \"{}\"", text),
        "replay:TABLE, e.g. replay:convolution/convolution_A100-PCIE-40GB, or device:0");
  }
  if (values.count("silicon-budget") > 0) {
    return {};
  }
  if (values.count("blind") == 0) {
    throw UserError("search: what is --silicon for?",
                    "--silicon-budget 10: the simulator leads, and so many of the best are "
                    "measured; --blind: recorded measurements alone are searched");
  }
  if (!replay) {
    throw UnsupportedError("search: --blind on a GPU is not built",
                           "--silicon device:0 --silicon-budget N measures what the simulator "
                           "finds best");
  }
  return text.substr(kReplay.size());
}

/// The place that `auto` stands for, so that the command means the same outside the job array.
Strings named_island(Strings args, const std::optional<search::Island>& island) {
  for (std::size_t i = 0; island && i < args.size(); ++i) {
    const std::string place = fmt::format("{}/{}", island->index, island->count);
    if (args[i] == "--island=auto") {
      args[i] = "--island=" + place;
    } else if (args[i] == "auto" && i > 0 && args[i - 1] == "--island") {
      args[i] = place;
    }
  }
  return args;
}

} // namespace

SearchOptions parse_search_options(const Strings& args) {
  const auto values = parse_options("search", args, describe_options(), {"spec"});
  SearchOptions options;
  options.json = values.count("json") > 0;
  options.help = values.count("help") > 0;
  if (options.help) {
    return options;
  }
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  options.spec = required(values, "spec", "search: which kernel?",
                          "coulomb kernels lists them; a T1 .json file will do, too");
  options.silicon = silicon_table(values);
  options.genes = strings(values, "gene");
  if (!options.genes.empty() && !options.silicon.empty()) {
    throw UserError("search: --gene changes the simulated GPU; a recorded one is what it is");
  }
  const bool table_knows =
      values.count("silicon") > 0 && values["silicon"].as<std::string>().starts_with("replay:");
  if (!table_knows || values.count("gpu") > 0) {
    options.gpu =
        required(values, "gpu", "search: which GPU? --gpu is missing", "coulomb gpus lists them");
  }
  options.budget = static_cast<std::uint64_t>(in_range(values, "budget", 1, kMost));
  read_objectives(values, options);
  read_ladder(values, options);
  read_robust(values, options);
  read_strategy(values, kMost, options);
  options.cluster = read_cluster_options(values);
  options.lookahead = values.count("lookahead") > 0
                          ? static_cast<std::uint64_t>(in_range(values, "lookahead", 1, kMost))
                          : search::default_lookahead(options.budget);
  options.seed = static_cast<std::uint64_t>(
      in_range(values, "seed", 0, std::numeric_limits<std::int64_t>::max()));
  options.jobs = values.count("jobs") > 0
                     ? static_cast<std::uint32_t>(in_range(values, "jobs", 1, 4096))
                     : std::max(1U, std::thread::hardware_concurrency());
  options.out = values.count("out") > 0 ? values["out"].as<std::string>() : std::string();
  options.set = strings(values, "set");
  options.fidelity.cache_state =
      eval::parse_cache_state(values["cache-state"].as<std::string>(), "search: --cache-state");
  options.fidelity.sms = static_cast<std::uint32_t>(in_range(values, "sms", 1, kMost));
  if (values.count("chip") > 0) {
    if (!values["sms"].defaulted()) {
      throw UserError("search: --sms and --chip exclude each other",
                      "--chip simulates all SMs; leave one of them out");
    }
    options.fidelity.rung = "chip";
  }
  options.sim_timeout_s = seconds(values, "sim-timeout");
  if (values.count("predictions") > 0) {
    options.predictions = values["predictions"].as<std::string>();
    if (!options.silicon.empty()) {
      throw UserError("search: --predictions are of simulations; --blind runs none");
    }
  }
  options.compile_timeout_s = seconds(values, "compile-timeout");
  options.resume = values.count("resume") > 0;
  options.dry_run = values.count("dry-run") > 0;
  if (options.dry_run && !(options.silicon.empty() && options.ladder.silicon.empty())) {
    throw UserError("search: --dry-run estimates simulations alone; leave --silicon out");
  }
  options.command = shell_line("search", named_island(args, options.cluster.island));
  return options;
}

std::string search_help() {
  std::ostringstream text;
  text << kUsage
       << "\nSearches the valid configurations of a tunable kernel for the one that runs fastest "
          "on the\n"
          "simulated GPU. The result depends on the kernel, the GPU, the seed and the budget, not "
          "on\n"
          "--jobs. Ctrl-C stops and saves; --resume goes on.\n\n"
       << describe_options();
  return text.str();
}

} // namespace coulomb::cli
