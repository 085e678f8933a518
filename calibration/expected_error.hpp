// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/character.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace coulomb::calibration {

/// One configuration that silicon and the simulator both timed.
struct MeasuredError {
  std::string spec;
  std::string gpu;
  std::uint32_t architecture = 0; ///< 80: sm_80
  std::string limiter;            ///< as Character::limiter
  bool local_memory = false;
  double error = 0.0; ///< (simulated - silicon) / silicon
};

/// How far off kernels of a run's character were. Errors are fractions, without sign.
struct ExpectedError {
  eval::Character character;
  std::size_t measured = 0; ///< configurations that the figures are over; 0: not known
  std::optional<double> median;
  std::optional<double> p90;     ///< 90th percentile
  bool gpu_changed = false;      ///< the run's GPU is no product: nothing was measured on it
  bool same_architecture = true; ///< false: there were too few of the run's own architecture
  std::map<std::string, std::size_t> sources; ///< "convolution on a100-pcie-40gb": configurations

  /// "21.0 % at the 90th percentile; 54 measured configurations of ... (DRAM-bound)", or why
  /// nothing is known.
  [[nodiscard]] std::string note() const;
};

/// Fewer measured configurations than this say nothing about a class.
inline constexpr std::size_t kFewestMeasured = 5;

/// Errors of every measured validation: data/accuracy/errors.csv, docs/accuracy.md.
class ErrorTable {
public:
  ErrorTable() = default;
  explicit ErrorTable(std::vector<MeasuredError> rows) : rows_(std::move(rows)) {}

  /// Throws UserError with path:line for a missing column and a value that cannot be read. No file:
  /// an empty table, which knows nothing.
  static ErrorTable load(const std::string& path);

  /// The rows with the same limiter and use of local memory: those of the same architecture if
  /// there are at least kFewestMeasured, else those of all architectures if there are, else none.
  [[nodiscard]] ExpectedError expect(const eval::Character& character,
                                     std::uint32_t architecture) const;

  [[nodiscard]] const std::vector<MeasuredError>& rows() const { return rows_; }

private:
  std::vector<MeasuredError> rows_;
};

} // namespace coulomb::calibration
