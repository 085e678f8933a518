// SPDX-License-Identifier: Apache-2.0
#include "cli/whatif_options.hpp"

#include "base/error.hpp"
#include "cli/command_line.hpp"
#include "cli/search_cluster_options.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <thread>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* kUsage = "usage: coulomb whatif FILE.toml [options]";

constexpr const char* kAbout = "Searches the designs of a GPU that a study describes: its [genes] "
                               "are keys of the GPU file, its\n"
                               "[[kernel]]s are what a design is judged by, its [limits] are area, "
                               "power and temperature. Prints\n"
                               "the front, and why each design on it is there: what limited each "
                               "kernel before and after, and\n"
                               "what each change is worth alone. Writes DIR/whatif.html. Ctrl-C "
                               "stops and saves; --resume goes\n"
                               "on. An example: configs/whatif/sm-configuration.toml\n\n";

po::options_description describe_options() {
  po::options_description options("Options");
  auto add = options.add_options();
  add("study", po::value<std::string>(), "FILE.toml, if it is not given as a word");
  add("axis", po::value<std::vector<std::string>>()->composing(),
      "KEY=V1,V2,... or KEY=FROM:TO:STEP: no search, a design for each value, everything else as "
      "in "
      "the baseline; several give the product");
  add("budget", po::value<std::int64_t>(), "designs to evaluate (default: the study's, 200)");
  add("seed", po::value<std::int64_t>(), "of the random streams (default: the study's, 1)");
  add("jobs", po::value<std::int64_t>(), "busy worker processes (default: cores)");
  add("sms", po::value<std::int64_t>()->default_value(1), "SMs simulated per kernel");
  add("designs", po::value<std::int64_t>()->default_value(5), "of the front that are explained");
  add("sim-timeout", po::value<double>()->default_value(600.0), "seconds per simulation");
  add("grace", po::value<double>()->default_value(kGraceSeconds), kGraceHelp);
  add("out", po::value<std::string>(), "directory (default: runs/whatif-NAME-sSEED)");
  add("resume", "continue the study in that directory");
  add("json", "print one JSON object");
  add("help,h", "print this help");
  return options;
}

std::uint64_t
whole(const po::variables_map& values, const char* name, std::int64_t least, std::int64_t most) {
  const auto n = values[name].as<std::int64_t>();
  if (n < least || n > most) {
    throw UserError(fmt::format("whatif: --{} is {}; allowed: {} to {}", name, n, least, most));
  }
  return static_cast<std::uint64_t>(n);
}

} // namespace

std::string whatif_help() {
  std::ostringstream out;
  out << kUsage << "\n\n" << kAbout << describe_options();
  return out.str();
}

WhatIfOptions parse_whatif_options(const std::vector<std::string>& args) {
  constexpr std::int64_t kMost = 1'000'000;
  const auto values = parse_options("whatif", args, describe_options(), {"study"});
  WhatIfOptions options;
  options.help = values.count("help") > 0;
  if (options.help) {
    return options;
  }
  if (values.count("study") == 0) {
    throw UserError("whatif: which study? Name its .toml file", kUsage);
  }
  options.study = search::read_study(values["study"].as<std::string>());
  if (values.count("budget") > 0) {
    options.study.budget = whole(values, "budget", 1, kMost);
  }
  if (values.count("seed") > 0) {
    options.study.seed = whole(values, "seed", 0, std::int64_t{1} << 62);
  }
  options.axes = strings(values, "axis");
  options.jobs = values.count("jobs") > 0
                     ? static_cast<std::uint32_t>(whole(values, "jobs", 1, 1024))
                     : std::max(1U, std::thread::hardware_concurrency());
  options.sms = static_cast<std::uint32_t>(whole(values, "sms", 1, 1024));
  options.designs = whole(values, "designs", 0, 100);
  options.sim_timeout_s = values["sim-timeout"].as<double>();
  if (!(options.sim_timeout_s > 0.0)) {
    throw UserError(fmt::format("whatif: --sim-timeout is {}; it must be above 0 seconds",
                                options.sim_timeout_s));
  }
  options.grace = read_grace(values, "whatif");
  options.out = values.count("out") > 0
                    ? values["out"].as<std::string>()
                    : (std::filesystem::path("runs") /
                       fmt::format("whatif-{}-s{}", options.study.name, options.study.seed))
                          .string();
  options.resume = values.count("resume") > 0;
  options.json = values.count("json") > 0;
  options.command = shell_line("whatif", args);
  return options;
}

} // namespace coulomb::cli
