// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/key_use.hpp"
#include "cli/saved_run.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::cli {

/// What differs between two saved runs.
struct Comparison {
  /// An input that has another value, or that only one of the runs has (the other is null).
  struct Input {
    enum class Kind { run, kernel_parameter, gpu_parameter };
    Kind kind = Kind::run;
    std::string key;
    nlohmann::json a;
    nlohmann::json b;
    std::optional<KeyUse> use; ///< of a GPU parameter
  };
  struct Stall {
    std::string reason;
    double a = 0.0; ///< share of warp-cycles
    double b = 0.0;
    double cycles = 0.0; ///< what it adds to B's cycles: b * B's cycles - a * A's; they sum up
  };
  struct Counter {
    std::string name;
    double a = 0.0;
    double b = 0.0;
    /// (b - a) / a; nothing if a is 0.
    [[nodiscard]] std::optional<double> change() const;
  };

  std::vector<Input> inputs;
  std::vector<Stall> stalls;     ///< all reasons, the largest contribution first
  std::vector<Counter> counters; ///< those that differ, the largest relative difference first
};

[[nodiscard]] Comparison compare_runs(const SavedRun& a, const SavedRun& b);

/// "run", "kernel parameter", "GPU parameter".
[[nodiscard]] const char* to_string(Comparison::Input::Kind kind);

} // namespace coulomb::cli
