// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/silicon_table.hpp"
#include "calibration/fit/fit.hpp"
#include "search/driver/interruption.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace coulomb::calibration {

/// Rows of a table that a fit looks at.
struct FitTable {
  results::SiliconTable table; ///< aligned with `spec`
  kernel::TunableSpec spec;
  config::GpuConfig gpu;         ///< at the table's clocks, the parameters as they are
  std::vector<std::size_t> rows; ///< of the table, eligible ones
  bool held_out = false;         ///< another kernel or board, for the final figures only
};

/// The user asked to stop.
struct FitInterrupted {};

/// Simulates rows of tables on one pool of workers.
class TableSimulator {
public:
  /// `options`: of every evaluator; its pool is set here. The cache state is the table's.
  /// `progress` is told (simulated, asked for) of each call; it may be empty. Throws
  /// EnvironmentError if a worker executable is missing.
  TableSimulator(std::vector<FitTable> tables,
                 std::vector<FitParameter> parameters,
                 search::EvaluatorOptions options,
                 search::Interruption& interruption,
                 std::function<void(std::size_t, std::size_t)> progress);

  /// Every row of every table, in order.
  [[nodiscard]] const std::vector<FitCase>& cases() const { return cases_; }
  /// See SimulateAt. Tables of boards other than the fitted one get a parameter's value only where
  /// it is not the present one. Throws FitInterrupted.
  [[nodiscard]] std::optional<CaseTimes> simulate(const std::vector<double>& values,
                                                  const std::vector<std::size_t>& cases);

private:
  struct Place {
    std::size_t table = 0;
    std::size_t row = 0;
  };
  /// The GPU of a table with these values; absent if its relations forbid them.
  [[nodiscard]] std::optional<config::GpuConfig> gpu_with(const FitTable& table,
                                                          const std::vector<double>& values) const;

  std::vector<FitTable> tables_;
  std::vector<FitParameter> parameters_;
  search::EvaluatorOptions options_;
  search::Interruption& interruption_;
  std::function<void(std::size_t, std::size_t)> progress_;
  std::unique_ptr<search::WorkerPool> pool_;
  std::vector<FitCase> cases_;
  std::vector<Place> places_; ///< by case
};

} // namespace coulomb::calibration
