// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/whatif/study.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::cli {

/// What `coulomb whatif` is asked to do.
struct WhatIfOptions {
  bool help = false;
  bool json = false;
  bool resume = false;
  search::Study study; ///< of the file, with what the command line changes
  std::vector<std::string> axes;
  std::string out;
  std::uint32_t jobs = 1;
  std::uint32_t sms = 1;
  std::size_t designs = 5; ///< of the front that are explained
  double sim_timeout_s = 600.0;
  std::chrono::milliseconds grace{0}; ///< for what runs, after SIGTERM or SIGUSR1
  std::string command;
};

/// Throws UserError for what is wrong with the command line or the study.
[[nodiscard]] WhatIfOptions parse_whatif_options(const std::vector<std::string>& args);
[[nodiscard]] std::string whatif_help();

} // namespace coulomb::cli
