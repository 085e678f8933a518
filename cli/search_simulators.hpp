// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/ladder/campaign.hpp"
#include "calibration/ladder/extreme_sizes.hpp"
#include "calibration/ladder/robust_rung.hpp"
#include "cli/search_plan.hpp"
#include "search/driver/interruption.hpp"
#include "search/driver/search_driver.hpp"

#include <optional>
#include <vector>

namespace coulomb::cli {

/// Everything that simulates for one ladder.
class LadderSimulators {
public:
  /// All references must outlive it.
  LadderSimulators(const SearchOptions& options,
                   const SearchPlan& plan,
                   const search::EvaluatorOptions& settings,
                   search::Interruption& interruption);

  /// The search's own simulations.
  [[nodiscard]] search::Evaluations evaluations();
  /// All SMs, the whole grid.
  [[nodiscard]] calibration::LadderRung chip_rung(std::size_t places);
  /// The plan's draws of the model noise.
  [[nodiscard]] calibration::LadderRung robust_rung(std::size_t places);
  /// Times with another spec, such as another problem size. Nothing if it was interrupted.
  [[nodiscard]] std::optional<std::vector<calibration::SizedTime>>
  time_all(const kernel::TunableSpec& spec, const std::vector<kernel::Configuration>& all);

private:
  /// Fewer outcomes than configurations: it was interrupted.
  [[nodiscard]] std::vector<search::Evaluation>
  evaluate(const kernel::TunableSpec& spec,
           const search::EvaluatorOptions& settings,
           const std::vector<kernel::Configuration>& configurations);
  [[nodiscard]] std::optional<std::vector<calibration::RungOutcome>>
  on_chip(const std::vector<const calibration::LadderCandidate*>& candidates);

  const SearchOptions& options_;
  const SearchPlan& plan_;
  search::EvaluatorOptions settings_;
  search::Interruption& interruption_;
  search::Evaluator first_;
  search::Interruption::Guard guard_;
  std::optional<calibration::PerturbedEvaluators> perturbed_; ///< once somebody gets there
  std::optional<calibration::RobustRung> rung_;
};

} // namespace coulomb::cli
