// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace coulomb::cli {

/// What a comparison reads of one saved output of `run --json`.
struct SavedRun {
  std::string path;
  std::string kernel;
  std::string gpu;
  std::string rung;
  std::string status;
  double cycles = 0.0;
  double time_ms = 0.0;
  std::map<std::string, double> counters;
  std::map<std::string, double> stalls; ///< shares of warp-cycles
  nlohmann::json parameters;            ///< of the kernel, an object
  nlohmann::json gpu_parameters;        ///< key: value, an object
};

/// Throws UserError naming the file: unreadable, no JSON, an error that a command printed, not the
/// output of `run --json`, a run that was not timed. The message begins with `reader`.
[[nodiscard]] SavedRun read_saved_run(const std::string& path, const std::string& reader);
/// The same of the text of one, which messages and reports call `name`.
[[nodiscard]] SavedRun parse_saved_run(const std::string& text, const std::string& name);

} // namespace coulomb::cli
