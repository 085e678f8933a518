// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <cstdint>
#include <set>
#include <string>

namespace coulomb::cli {

/// How a search led by the simulator goes on to silicon.
struct LadderOptions {
  std::string silicon;           ///< "replay:TABLE" or "device:N"; empty: it does not
  std::uint64_t budget = 10;     ///< silicon runs
  std::uint64_t batch = 3;       ///< silicon runs before the gap model learns from them
  std::string gap;               ///< model file; empty: learnt from data/calibration
  double penalty = 0.5;          ///< standard deviations by which the uncertain counts for slower
  std::uint64_t chip = 0;        ///< candidates per batch that are simulated on the whole chip
  bool extremes = true;          ///< the winner is tried at other problem sizes
  std::set<std::string> without; ///< of kLadderParts: left out, for an ablation

  /// All that the result depends on, on one line.
  [[nodiscard]] std::string text() const;
};

/// Adds what belongs to --silicon-budget.
void add_ladder_options(boost::program_options::options_description& options);
/// Throws UserError: a value out of range, an unknown part, options of the ladder without
/// --silicon-budget.
[[nodiscard]] LadderOptions
read_ladder_options(const boost::program_options::variables_map& values);

} // namespace coulomb::cli
