// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/cluster/island.hpp"

#include <boost/program_options.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace coulomb::cli {

/// How a search behaves on a cluster.
struct ClusterOptions {
  std::optional<search::Island> island;  ///< nothing: the search is alone
  std::uint64_t migration_interval = 12; ///< commitments between two meetings of an island
  std::string shared;                    ///< directory of all islands, if there are any
  std::string metrics;                   ///< file for Prometheus; empty: none
  std::chrono::milliseconds grace{0};    ///< for what runs, after SIGTERM or SIGUSR1
};

/// Also --islands and --topology, which read_strategy() of search_options.cpp reads.
void add_cluster_options(boost::program_options::options_description& options);
/// `command`: "search", for messages. Throws UserError naming the option that is out of range.
[[nodiscard]] std::chrono::milliseconds
read_grace(const boost::program_options::variables_map& values, const std::string& command);
/// Throws UserError naming the option that is out of range, or does not go with an island.
[[nodiscard]] ClusterOptions
read_cluster_options(const boost::program_options::variables_map& values);
/// Seconds of --grace as typed by nobody, and what it does.
inline constexpr double kGraceSeconds = 20.0;
inline constexpr const char* kGraceHelp =
    "seconds that what runs may take to finish after SIGTERM or SIGUSR1, which batch systems send "
    "(Slurm kills 30 s after its SIGTERM, by default)";

} // namespace coulomb::cli
