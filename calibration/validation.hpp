// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/character.hpp"
#include "base/results/silicon_table.hpp"
#include "calibration/sampling.hpp"
#include "calibration/statistics.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::calibration {

/// What the simulator said about one configuration.
struct Simulated {
  eval::EvalStatus status = eval::EvalStatus::crashed;
  std::string message;          ///< why, if not ok
  double time_ms = 0.0;         ///< meaningful if ok
  eval::Character character;    ///< likewise
  std::vector<double> features; ///< by eval::feature_table(); likewise
  double compile_s = 0.0;       ///< compiler seconds spent now; 0 on a cache hit
  double simulation_s = 0.0;    ///< simulator seconds spent; 0 if answered from an equal candidate
  std::uint64_t warp_insts = 0;
};

/// Evaluates every configuration and calls back once for each, with its index, in any order.
using SimulateAll = std::function<void(
    const std::vector<kernel::Configuration>& configurations,
    const std::function<void(std::size_t index, const Simulated& result)>& done)>;

/// What a validation is about; echoed in its report.
struct ValidationSubject {
  std::string spec;
  std::string gpu;
  std::uint32_t architecture = 0; ///< 80: sm_80
  double sm_clock_mhz = 0.0;      ///< simulated at
  double memory_clock_mhz = 0.0;  ///< simulated at
  /// A number of the GPU's configuration was fitted to this table: the error is then not an
  /// accuracy claim.
  bool fitted = false;
  std::string fidelity; ///< for people: "sampled, 1 SM"
  std::string command;  ///< line that reproduces the run
};

struct ComparedRow {
  std::size_t row = 0; ///< data row of the table, 0-based
  kernel::Configuration parameters;
  eval::EvalStatus silicon_status = eval::EvalStatus::ok;
  std::optional<double> silicon_ms;                    ///< present if silicon ran it
  eval::EvalStatus status = eval::EvalStatus::crashed; ///< the simulator's
  std::optional<double> sim_ms;                        ///< present if status is ok
  eval::Character character;                           ///< meaningful if status is ok
  std::vector<double> features; ///< by eval::feature_table(); meaningful if status is ok
  std::string message;

  /// (simulated - silicon) / silicon, if both have a time.
  [[nodiscard]] std::optional<double> error() const;
};

/// How verdicts on validity met. `both`: silicon failed, and so did the candidate here.
/// `silicon_only`: silicon failed, and we gave a time. `sim_only`: silicon ran, and we gave no
/// time: a miss. `undecided`: silicon failed, and we cannot tell (the simulator itself failed:
/// unsupported, timeout, compile_timeout, crashed).
struct InvalidCounts {
  std::size_t both = 0;
  std::size_t silicon_only = 0;
  std::size_t sim_only = 0;
  std::size_t undecided = 0;
};

struct ValidationCost {
  double wall_s = 0.0;
  double compile_s = 0.0;
  double simulation_s = 0.0;
  std::uint64_t warp_insts = 0;
  /// Simulated warp instructions per second of simulation; absent if nothing was simulated.
  [[nodiscard]] std::optional<double> warp_insts_per_s() const;
};

/// Accuracy of the simulator on the rows drawn from one table.
struct ValidationReport {
  ValidationSubject subject;
  std::string table; ///< path
  Sample sample;
  std::map<std::string, std::size_t> excluded; ///< reason: rows of the table that do not count
  std::size_t n = 0;                           ///< rows with both times: what the figures are over
  ErrorSummary errors;
  ScaleFree scale;
  std::optional<double> spearman;
  std::optional<double> kendall;
  std::optional<double> spearman_best5pct;
  std::optional<double>
      top1_regret; ///< misses count: the best silicon time is over every row that ran
  std::optional<double> top5_regret;
  InvalidCounts invalid;
  ValidationCost cost;
  bool interrupted = false;      ///< it was stopped before all drawn rows were simulated
  std::size_t drawn = 0;         ///< rows
  std::vector<ComparedRow> rows; ///< those that were simulated, ascending by row
};

/// --set assignments that put a GPU at the clocks of the table.
[[nodiscard]] std::vector<std::string> clock_overrides(const results::SiliconMetadata& metadata);

/// Simulates the rows of `sample` and compares them with the table. `progress` is called after each
/// result with (done, all); it may be empty. Throws InternalError if `simulate` does not answer
/// each configuration once; it may answer fewer if `stop` is given and became true.
[[nodiscard]] ValidationReport
run_validation(const results::SiliconTable& table,
               const Sample& sample,
               const ValidationSubject& subject,
               const SimulateAll& simulate,
               const std::function<void(std::size_t done, std::size_t all)>& progress,
               const std::atomic<bool>* stop = nullptr);

/// The same, from results that are already there, results[i] being that of sample.rows[i].
[[nodiscard]] ValidationReport compare(const results::SiliconTable& table,
                                       const Sample& sample,
                                       const ValidationSubject& subject,
                                       const std::vector<Simulated>& results);

} // namespace coulomb::calibration
