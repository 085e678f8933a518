// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/accuracy/figures.hpp"
#include "calibration/accuracy/held_out.hpp"
#include "calibration/gap/gap_model.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::calibration {

/// "configuration", "kernel", "board".
[[nodiscard]] std::string_view to_string(HeldOut what);

/// How well held-out observations of one board and spec are predicted.
struct CrossValidationRow {
  HeldOut held_out = HeldOut::configuration;
  std::string board;
  std::string spec;
  AccuracyFigures before; ///< the simulator alone
  AccuracyFigures after;  ///< corrected by models that did not see what is held out
  /// Share of observations within the model's own 90 % interval, measurement noise included:
  /// below 0.9, the model is too sure of itself.
  double covered = 0.0;
};

struct CrossValidation {
  std::vector<CrossValidationRow> rows; ///< by what is held out, then board, then spec
  std::vector<HeldOut> impossible;      ///< only one kernel or board: nothing would be left
};

/// How well `model` predicts observations that it was not fitted to, by board and spec. The rows'
/// `held_out` says nothing.
[[nodiscard]] std::vector<CrossValidationRow> predicted_rows(const GapModel& model,
                                                             const std::vector<Observation>& asked);

/// Fits a model for each fold and predicts what it did not see: configurations in folds, then every
/// kernel and every board by itself.
[[nodiscard]] CrossValidation cross_validate(const std::vector<Observation>& observations,
                                             const KernelIdentity& identity,
                                             const HeldOutSettings& split = {},
                                             const GapSettings& settings = {});

} // namespace coulomb::calibration
