// SPDX-License-Identifier: Apache-2.0
#include "cli/search_options.hpp"

#include "base/error.hpp"
#include "cli/command_line.hpp"
#include "search/driver/strategy_catalogue.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <limits>
#include <sstream>
#include <thread>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using Strings = std::vector<std::string>;

constexpr const char* kUsage =
    "usage: coulomb search SPEC --gpu GPU [options]\n"
    "       coulomb search status DIR | best DIR [--top N] | export DIR --format csv|json|t4|h5\n";

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
  add("gpu", po::value<std::string>(), "GPU id or file");
  add("budget", po::value<std::int64_t>()->default_value(200), "configurations to evaluate");
  add("jobs", po::value<std::int64_t>(), "busy worker processes (default: cores)");
  add("seed", po::value<std::int64_t>()->default_value(1), "of the random streams");
  add("strategy", po::value<std::string>()->default_value(std::string(search::kDefaultStrategy)),
      strategy_help().c_str());
  add("lookahead",
      po::value<std::int64_t>()->default_value(std::int64_t{search::kDefaultLookahead}),
      "configurations proposed before the outcome of the first of them is known; the result "
      "depends "
      "on it, and no more workers than this can be busy");
  add("out", po::value<std::string>(), "directory (default: runs/SPEC-GPU-sSEED)");
  add("resume", "continue the search in that directory");
  add("set", po::value<Strings>()->composing(), "KEY=VALUE: change the GPU");
  add("sms", po::value<std::int64_t>()->default_value(1), "SMs simulated per configuration");
  add("chip", "simulate every SM and the whole grid");
  add("cache-state", po::value<std::string>()->default_value("warm"),
      "what L2 and TLBs hold at launch: warm (from an identical launch), cold, host-copy");
  add("sim-timeout", po::value<double>()->default_value(600.0), "seconds per simulation");
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
  if (!(s > 0.0)) {
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
  options.gpu =
      required(values, "gpu", "search: which GPU? --gpu is missing", "coulomb gpus lists them");
  options.budget = static_cast<std::uint64_t>(in_range(values, "budget", 1, kMost));
  options.strategy = search::find_strategy(values["strategy"].as<std::string>()).name;
  options.lookahead = static_cast<std::uint64_t>(in_range(values, "lookahead", 1, kMost));
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
  options.compile_timeout_s = seconds(values, "compile-timeout");
  options.resume = values.count("resume") > 0;
  options.command = shell_line("search", args);
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
