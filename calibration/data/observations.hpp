// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/validation.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace coulomb::calibration {

/// One configuration that silicon and the simulator both timed: what calibration learns from.
struct Observation {
  std::string board;                ///< GPU id
  std::string spec;                 ///< kernel
  std::size_t row = 0;              ///< data row of the silicon table, 0-based
  kernel::Configuration parameters; ///< values are integers, reals, truth values or texts
  double silicon_ms = 0.0;          ///< above 0
  double silicon_noise = 0.0;       ///< relative standard error of silicon_ms; 0: not known
  double sim_ms = 0.0;              ///< above 0
  std::vector<double> features;     ///< of the simulation, by eval::feature_table(); NaN: unknown

  /// log(silicon_ms / sim_ms): what the simulator got wrong.
  [[nodiscard]] double log_ratio() const;
};

/// The rows of a validation that both timed. The noise comes from the table's single launches, if
/// they were published: the standard error of all but the first, as a share of their mean.
[[nodiscard]] std::vector<Observation> observations_of(const ValidationReport& report,
                                                       const results::SiliconTable& table);

/// CSV: board, spec, row, parameters (a JSON object), silicon_ms, silicon_noise, sim_ms, then one
/// column per feature; an unknown feature is empty. Numbers read back as they were written.
[[nodiscard]] std::string to_csv(const std::vector<Observation>& observations);

/// Reads such files, gzip-compressed or plain. Features are found by name: one that the file does
/// not have is unknown, a column that is no feature is ignored. Throws UserError with path:line for
/// a missing column, a value that is no number, a time that is not above 0, parameters that are no
/// JSON object of numbers, truth values and texts.
[[nodiscard]] std::vector<Observation> load_observations(const std::string& path);

} // namespace coulomb::calibration
