// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/status.hpp"
#include "base/kernel/configuration.hpp"

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::search {

/// What a search keeps of one evaluation.
struct EvaluationRecord {
  std::uint64_t id = 0; ///< 0, 1, 2, ... over the whole search
  std::string origin;   ///< what proposed it: "random", "model", "crossover", ...
  kernel::Configuration configuration;
  eval::EvalStatus status = eval::EvalStatus::crashed;
  std::string message;         ///< why it is not ok
  double time_ms = 0.0;        ///< of the kernel alone; meaningful if ok
  double cycles = 0.0;         ///< same, in SM clocks
  double ipc = 0.0;            ///< warp instructions per SM-cycle over active SMs; meaningful if ok
  std::uint32_t registers = 0; ///< per thread; 0 if it was not simulated
  std::map<std::string, double> counters; ///< NVIDIA metric name: value
  std::map<std::string, double> stalls;   ///< stall reason: share of warp-cycles
  /// What is known of launch and resources: eval::launch_numbers(). Empty in journals of releases
  /// that did not keep it.
  std::map<std::string, double> launch;
  std::map<std::string, double> code_mix; ///< static counts of the machine code; empty as `launch`
  std::string cubin_hash;                 ///< of the machine code; empty if it was not compiled
  double compiler_s = 0.0; ///< wall seconds of the compilation, also when it came from the cache
  double compile_s = 0.0;  ///< seconds that this search's workers spent compiling it
  double sim_s = 0.0;      ///< same, simulating it
  std::string code;        ///< stands for machine code and launch; empty if not simulated
  /// First candidate of the same code, whose simulation this one shares: see link_equal_code().
  std::optional<std::uint64_t> same_as;
  std::string finished; ///< UTC, 2026-01-31T12:34:56Z
  bool operator==(const EvaluationRecord&) const = default;
};

[[nodiscard]] nlohmann::json to_json(const EvaluationRecord& record);
/// Throws UserError naming the missing or malformed field.
[[nodiscard]] EvaluationRecord evaluation_from_json(const nlohmann::json& json);
/// Sorts by id and sets `same_as` from `code`; the first of equal code gets all their sim_s. So
/// what is said of a search does not depend on the order in which its evaluations finished.
void link_equal_code(std::vector<EvaluationRecord>& evaluations);
/// The present time as `finished` is written.
[[nodiscard]] std::string utc_now();

} // namespace coulomb::search
