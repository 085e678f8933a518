// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/axis.hpp"
#include "cli/run_options.hpp"

#include <string>
#include <vector>

namespace coulomb::cli {

/// One of the runs that axes ask for.
struct AxisRun {
  std::vector<std::string> values; ///< one for each axis
  std::vector<std::string> args;   ///< of a `run` that is this one alone
  RunOptions options;
  bool finished = false;
  search::Evaluation result; ///< if it finished
};

/// Kernel, GPU, a table with a line for each run (values, time, cycles, speed-up over the first,
/// what limits, the largest stall), why runs are not ok, the command of the fastest. Ends with a
/// new line.
[[nodiscard]] std::string axis_report_text(const std::vector<Axis>& axes,
                                           const std::vector<AxisRun>& runs);

} // namespace coulomb::cli
