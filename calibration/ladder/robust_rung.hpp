// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/ladder/candidate.hpp"
#include "calibration/noise/robust_score.hpp"
#include "calibration/robust/robust_times.hpp"

#include <functional>
#include <vector>

namespace coulomb::calibration {

/// The rung of model noise: a candidate's times on k perturbed GPUs, the same for all candidates.
///
/// log_factor is log(score of its times / its time on the GPU as stated). What a draw does to all
/// alike says nothing about who is faster; so `deviation` is that of the candidate's log ratios
/// about their means over the first batch, draw by draw.
class RobustRung {
public:
  /// By candidate: its times under the draws, or why there are none. Nothing at all if it was
  /// interrupted.
  using Times = std::function<std::optional<std::vector<RobustTimes>>(
      const std::vector<kernel::Configuration>&)>;

  RobustRung(Times times, RobustScore score, double alpha);
  [[nodiscard]] std::optional<std::vector<RungOutcome>>
  climb(const std::vector<const LadderCandidate*>& candidates);

private:
  Times times_;
  RobustScore score_;
  double alpha_;
  std::vector<double> common_; ///< by draw: mean log ratio of the first batch; empty before it
};

} // namespace coulomb::calibration
