// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/status.hpp"

#include <string>
#include <vector>

namespace coulomb::calibration {

/// What became of one configuration under the draws of the model noise.
struct RobustTimes {
  /// Of the evaluation on the GPU as stated if that failed, else of the first draw that failed,
  /// else ok.
  eval::EvalStatus status = eval::EvalStatus::crashed;
  std::string message;          ///< why it is not ok, the draw named
  std::vector<double> times_ms; ///< by draw; empty if it is not ok
};

} // namespace coulomb::calibration
