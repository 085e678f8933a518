// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_catalogue.hpp"
#include "cli/launch_options.hpp"
#include "search/engine/evaluator.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coulomb::cli {

/// What `coulomb run` is asked to do.
struct RunOptions {
  bool help = false;
  bool json = false;
  std::string spec_argument; ///< SPEC as it was typed
  std::string gpu_argument;  ///< the GPU as it was typed, or the default of --functional
  ChosenKernel kernel;
  kernel::Configuration configuration;
  config::ResolvedGpu gpu;
  search::EvaluatorOptions evaluator;
  std::size_t hot = 0;            ///< hot instructions to show; 0 = none
  std::string timeline;           ///< file for the timeline; empty = none
  std::size_t timeline_bytes = 0; ///< it may have
  std::string power_trace;        ///< file for the controller's trace; empty = none
  double power_seconds = 10.0;    ///< that it covers
  eval::VcdRequest vcd;           ///< of --vcd; empty path = none
  std::vector<std::string> axes;  ///< of --axis, as they were typed
  std::uint32_t jobs = 1;         ///< busy worker processes; meaningful with axes
  std::string against;            ///< saved run to compare with; empty = none
};

/// Reads the command line of `run`. Throws UserError for what is wrong with it.
[[nodiscard]] RunOptions parse_run_options(const std::vector<std::string>& args);
/// What `run --help` prints.
[[nodiscard]] std::string run_help();

} // namespace coulomb::cli
