// SPDX-License-Identifier: Apache-2.0
#include "cli/search_cluster_options.hpp"

#include "base/error.hpp"

#include <cmath>
#include <cstdlib>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;

constexpr double kMostGrace = 86'400.0; ///< seconds, a day

std::optional<std::string> environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

} // namespace

void add_cluster_options(po::options_description& options) {
  auto add = options.add_options();
  add("islands", po::value<std::int64_t>()->default_value(4), "populations of ga-islands");
  add("topology", po::value<std::string>()->default_value("ring"),
      "who sends migrants to whom: ring, star, complete, none");
  add("island", po::value<std::string>(),
      "K/N: be the K-th (from 0) of N processes that search together, in DIR/island-K; each spends "
      "its part of the budget and sends its best along --topology; auto: by Slurm's job array");
  add("migration-interval", po::value<std::int64_t>()->default_value(12),
      "evaluations of an island between two meetings with the others");
  add("grace", po::value<double>()->default_value(kGraceSeconds), kGraceHelp);
  add("metrics", po::value<std::string>(),
      "file that is rewritten every few seconds with the search's figures, for Prometheus "
      "(node_exporter's textfile collector: a name ending in .prom)");
}

std::chrono::milliseconds read_grace(const po::variables_map& values, const std::string& command) {
  const double seconds = values["grace"].as<double>();
  if (!(seconds >= 0.0) || seconds > kMostGrace) {
    throw UserError(
        fmt::format("{}: --grace is {}; allowed: 0 to {:g} seconds", command, seconds, kMostGrace));
  }
  return std::chrono::milliseconds(std::llround(seconds * 1e3));
}

ClusterOptions read_cluster_options(const po::variables_map& values) {
  ClusterOptions options;
  options.grace = read_grace(values, "search");
  if (values.count("metrics") > 0) {
    options.metrics = values["metrics"].as<std::string>();
  }
  if (values.count("island") == 0) {
    if (!values["migration-interval"].defaulted()) {
      throw UserError("search: --migration-interval is of islands", "--island K/N makes one");
    }
    return options;
  }
  options.island = search::parse_island(values["island"].as<std::string>(), environment);
  const auto interval = values["migration-interval"].as<std::int64_t>();
  constexpr std::int64_t kMost = 1'000'000;
  if (interval < 1 || interval > kMost) {
    throw UserError(
        fmt::format("search: --migration-interval is {}; allowed: 1 to {}", interval, kMost));
  }
  options.migration_interval = static_cast<std::uint64_t>(interval);
  if (values.count("silicon-budget") > 0) {
    throw UserError("search: islands simulate; --silicon-budget measures",
                    "search with islands first, then measure what coulomb search best finds");
  }
  const auto budget = values["budget"].as<std::int64_t>();
  if (budget > 0 && static_cast<std::uint64_t>(budget) < options.island->count) {
    throw UserError(fmt::format("search: --budget {} is less than one evaluation for each of {} "
                                "islands",
                                budget, options.island->count));
  }
  return options;
}

} // namespace coulomb::cli
