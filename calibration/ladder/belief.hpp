// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/gap/gap_model.hpp"
#include "calibration/ladder/candidate.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace coulomb::calibration {

/// What is believed of a candidate's time on silicon: log-normal.
struct Belief {
  double log_ms = 0.0;     ///< mean of log(time in ms)
  double deviation = 0.0;  ///< standard deviation of it
  bool unexplored = false; ///< far from all that the gap model was calibrated on
};

/// Beliefs about all candidates: simulated time, times what the higher rungs found, times the gap
/// model's correction (`gap` null: none). A candidate that has not been on a rung is taken for the
/// median of those that have, with their spread.
[[nodiscard]] std::vector<Belief> beliefs(std::span<const LadderCandidate> candidates,
                                          const GapModel* gap);

/// Expected improvement of log(time) over `best_log_ms` (Mockus 1975; Jones et al. 1998): about the
/// share of the time that measuring the candidate is expected to save. 0 or more.
[[nodiscard]] double expected_improvement(const Belief& belief, double best_log_ms);

/// Orders candidates by log_ms + penalty * deviation, so that one in unexplored territory is not
/// trusted; equals by position. Candidates whose code another one has, and those that failed on a
/// rung, are left out.
[[nodiscard]] std::vector<std::size_t> ranked(std::span<const LadderCandidate> candidates,
                                              std::span<const Belief> beliefs,
                                              double penalty);

/// The first `count` of `order` with diversity: half of the places by rank alone, the other half
/// to those that differ in at least two parameters from every one taken before; what that leaves
/// free goes by rank again. The result keeps the order.
[[nodiscard]] std::vector<std::size_t> promote(std::span<const LadderCandidate> candidates,
                                               const std::vector<std::size_t>& order,
                                               std::size_t count);

} // namespace coulomb::calibration
