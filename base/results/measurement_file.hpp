// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/measurement.hpp"
#include "base/kernel/configuration.hpp"
#include "base/results/silicon_table.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace coulomb::results {

/// Version of the measurement file; a reader refuses later ones.
inline constexpr int kMeasurementSchema = 1;

/// One measured configuration.
struct MeasuredRow {
  kernel::Configuration parameters;
  eval::MeasureOutcome outcome;
};

/// Measured configurations of one kernel.
struct MeasuredKernel {
  std::string spec;
  std::vector<std::int64_t> problem_size;
  std::vector<MeasuredRow> rows;
};

/// What `coulomb hw measure` found, as a JSON file that validate and replay read as a table.
struct MeasurementFile {
  std::string path;
  std::string version;                              ///< of Coulomb
  std::string date;                                 ///< UTC, ISO 8601
  std::string address;                              ///< "device:0", "replay:..."
  std::string board;                                ///< "NVIDIA A100-SXM4-40GB"
  std::string gpu;                                  ///< id of its GPU file
  nlohmann::json device = nlohmann::json::object(); ///< properties and driver; empty: recorded
  eval::SamplingRule sampling;
  std::string cache_state;          ///< "warm" or "cold"
  double locked_sm_clock_mhz = 0.0; ///< 0: the clock was watched, not locked
  std::vector<MeasuredKernel> kernels;

  /// Throws UserError: unreadable, malformed, of a later schema; messages name the field.
  [[nodiscard]] static MeasurementFile load(const std::string& path);
  /// Whole or not at all (temporary file, rename). Throws UserError.
  void save() const;

  /// The rows of one kernel as a silicon table. `spec` empty: of the only kernel. Throws UserError
  /// if there is no such kernel, or more than one to choose from.
  [[nodiscard]] SiliconTable table(const std::string& spec) const;
};

} // namespace coulomb::results
