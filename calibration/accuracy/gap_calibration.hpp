// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/accuracy/accuracy_report.hpp"
#include "calibration/gap/gap_model.hpp"

namespace coulomb::calibration {

/// Fits a gap model to what is known and corrects what is asked.
[[nodiscard]] Calibrate gap_calibration(GapSettings settings = {});

/// A gap model that was fitted before. It saw an observation of the same board, specification and
/// configuration as one that it holds.
[[nodiscard]] StoredCalibration stored_calibration(GapModel model);

} // namespace coulomb::calibration
