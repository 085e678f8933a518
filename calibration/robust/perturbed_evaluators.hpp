// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/noise/model_noise.hpp"
#include "calibration/robust/robust_evaluations.hpp"
#include "search/driver/interruption.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::calibration {

/// KEY=VALUE changes of a GPU, by draw.
using GpuDraws = std::vector<std::vector<std::string>>;

/// The first `count` draws of `noise` for `gpu`. They are the same whatever the seed of a search:
/// scores of different searches can be compared, and their simulations shared. Throws as
/// ModelNoise::draw() does.
[[nodiscard]] GpuDraws
common_draws(const ModelNoise& noise, const config::GpuConfig& gpu, std::uint64_t count);

/// RobustEvaluations by simulation: an evaluator for the GPU as stated and one for each draw, all
/// on one pool of workers.
class PerturbedEvaluators {
public:
  /// At least one draw. `options.pool` is set here, so `options.jobs` workers serve all;
  /// `interruption` must outlive this. Throws EnvironmentError if a worker executable is missing,
  /// UserError if a draw is no change of `gpu`.
  PerturbedEvaluators(const kernel::TunableSpec& spec,
                      const config::GpuConfig& gpu,
                      const GpuDraws& draws,
                      search::EvaluatorOptions options,
                      search::Interruption& interruption);

  [[nodiscard]] RobustEvaluations& evaluations() { return *evaluations_; }
  /// See search::Evaluator; of all together.
  [[nodiscard]] search::WorkerPool::Statistics pool_statistics() const {
    return pool_->statistics();
  }
  [[nodiscard]] std::uint64_t predicted() const;
  [[nodiscard]] std::string prediction_problem() const;

private:
  // In this order: what comes later uses what comes before and ends first, save the pool, whose
  // thread calls into the evaluators.
  std::deque<search::Evaluator> evaluators_; ///< the stated GPU, then the draws
  std::unique_ptr<search::WorkerPool> pool_;
  std::deque<search::Interruption::Guard> guards_;
  std::optional<RobustEvaluations> evaluations_;
};

} // namespace coulomb::calibration
