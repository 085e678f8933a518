// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/robust/robust_times.hpp"
#include "search/driver/evaluation_channels.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace coulomb::calibration {

/// Evaluations on one GPU.
using GpuEvaluations = search::EvaluationChannel;

/// Evaluates candidates on the GPU as stated and on perturbed ones, the same for all candidates
/// (common random numbers). A candidate meets the perturbed GPUs only after it ran on the stated
/// one: what fails there costs no more, and its machine code is compiled by then.
///
/// The outcome is the evaluation on the stated GPU with robust_metrics() among the counters; the
/// seconds of all simulations are added up. If a draw fails, the candidate has that draw's status,
/// a message that names it, and no robust metrics. So it depends on the candidate alone, not on
/// which simulation is faster.
///
/// Not thread-safe: for one caller.
class RobustEvaluations {
public:
  /// Takes at least one draw. What the functions refer to must outlive this.
  RobustEvaluations(GpuEvaluations stated, std::vector<GpuEvaluations> draws);
  /// Ids are the caller's, unique among candidates that are out.
  void submit(const search::Candidate& candidate);
  /// Waits for the next outcome, of whichever candidate comes to its end first. Nothing once there
  /// is none to wait for: all were returned, or dropped because an evaluator was cancelled. Throws
  /// what the `next` of a GPU throws; all else is cancelled then.
  [[nodiscard]] std::optional<search::Evaluation> next();

  /// The times of all configurations, in their order, or nothing if evaluators were cancelled
  /// before the last was known. Not while other candidates are out. Throws as next() does.
  [[nodiscard]] std::optional<std::vector<RobustTimes>>
  times(const std::vector<kernel::Configuration>& configurations);

private:
  /// A candidate that ran on the stated GPU.
  struct UnderDraws {
    search::Evaluation stated;
    std::vector<search::Evaluation> draws;
    std::size_t missing = 0;
  };
  struct Outcome {
    search::Evaluation evaluation;
    RobustTimes times;
  };

  [[nodiscard]] std::optional<Outcome> next_outcome();

  std::map<std::uint64_t, UnderDraws> under_draws_; ///< by id
  search::EvaluationChannels channels_;             ///< the stated GPU, then the draws
};

} // namespace coulomb::calibration
