// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/simulation.hpp"
#include "calibration/noise/robust_score.hpp"
#include "cli/search_cluster_options.hpp"
#include "cli/search_ladder_options.hpp"
#include "search/objective/objective_settings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::cli {

/// What `coulomb search SPEC ...` was asked to do.
struct SearchOptions {
  std::string spec; ///< kernel name, or path of a T1 file
  std::string gpu;
  std::uint64_t budget = 200;
  std::uint32_t jobs = 1;
  std::uint64_t seed = 1;
  std::string strategy; ///< name in search::strategies()
  std::uint64_t lookahead = 1;
  search::ObjectiveSettings objectives;
  std::optional<std::uint64_t> fence; ///< see search::StrategyStart
  std::uint64_t islands = 4;
  std::string topology;
  std::vector<std::string> genes; ///< KEY=V1,V2,...: keys of the GPU file that are searched, too
  /// Draws of the model noise that each configuration meets, or on a ladder those that are promoted
  /// to its rung "robust"; 0: none.
  std::uint64_t robust = 0;
  calibration::RobustScore robust_score = calibration::RobustScore::mean;
  std::string noise; ///< file of the model noise; empty: none
  ClusterOptions cluster;
  LadderOptions ladder; ///< from the simulator to silicon
  std::string silicon;  ///< recorded table that answers instead of the simulator; empty: none
  std::string out;      ///< empty: runs/<spec>-<gpu>-s<seed>
  std::vector<std::string> set;
  eval::Fidelity fidelity;
  double sim_timeout_s = 600.0;
  double compile_timeout_s = 120.0;
  std::string predictions; ///< directory of earlier simulations; empty: none
  bool resume = false;
  bool dry_run = false; ///< estimate the cost only
  bool json = false;
  bool help = false;
  std::string command; ///< the command line, as a shell reads it back
};

/// Throws UserError naming the option that is unknown, missing or out of range.
[[nodiscard]] SearchOptions parse_search_options(const std::vector<std::string>& args);
[[nodiscard]] std::string search_help();

} // namespace coulomb::cli
