// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_catalogue.hpp"
#include "calibration/robust/perturbed_evaluators.hpp"
#include "cli/search_options.hpp"
#include "hw/replay/recorded_device.hpp"
#include "search/driver/progress.hpp"
#include "search/objective/scorer.hpp"
#include "search/space/search_space.hpp"
#include "search/store/search_header.hpp"
#include "search/strategy/strategy.hpp"

#include <memory>
#include <optional>
#include <string>

namespace coulomb::cli {

/// One search, ready to run.
struct SearchPlan {
  kernel::TunableSpec spec;
  config::ResolvedGpu gpu;
  search::SearchSpace space;
  search::Scorer scorer;
  std::optional<hw::ReplayDevice> device; ///< answers instead of the simulator
  /// Measures after the simulator; null: nothing does, or a GPU that is opened later.
  std::unique_ptr<hw::RecordedDevice> recorded = nullptr;
  calibration::GpuDraws draws = {}; ///< of the model noise
};

/// Reads and checks all that a search starts from; sets what `options` leave to be found out.
/// Throws UserError.
[[nodiscard]] SearchPlan make_search_plan(SearchOptions& options);
[[nodiscard]] search::SearchHeader make_search_header(const SearchOptions& options,
                                                      const SearchPlan& plan);
[[nodiscard]] search::EvaluatorOptions search_evaluator_options(const SearchOptions& options);

[[nodiscard]] search::Strategy make_search_strategy(const SearchOptions& options,
                                                    const SearchPlan& plan);
/// A line that is rewritten on a terminal, else lines.
[[nodiscard]] search::Progress::Style progress_style();

/// The reference of a kernel without an oracle: the default configuration's output, which stays in
/// the search directory. Computed before the search, so it depends on neither jobs nor order.
void add_search_reference(const SearchPlan& plan,
                          const std::string& dir,
                          search::EvaluatorOptions& evaluator);

} // namespace coulomb::cli
