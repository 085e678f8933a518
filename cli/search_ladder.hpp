// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/ladder/campaign.hpp"
#include "calibration/ladder/extreme_sizes.hpp"
#include "calibration/ladder/rank_agreement.hpp"
#include "cli/search_plan.hpp"
#include "search/store/search_store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coulomb::cli {

/// What a search with silicon found.
struct LadderOutcome {
  std::string device; ///< "replay:TABLE", "device:0"
  std::string first_rung;
  std::size_t budget = 0; ///< silicon runs
  std::size_t simulations = 0;
  std::vector<calibration::CampaignRound> rounds;
  std::vector<calibration::SiliconRun> runs;
  std::vector<kernel::Configuration> configurations; ///< by run
  std::vector<std::string> rungs;                    ///< between the first one and silicon
  std::vector<double> rung_costs;                    ///< of a candidate, in simulations
  std::vector<calibration::RankAgreement> agreements;
  std::vector<calibration::ExtremeResult> extremes;
  std::string extremes_on;          ///< where they were timed: "simulator", "silicon"
  std::size_t gap_observations = 0; ///< that the gap model had learnt from at first
  std::size_t gap_own = 0;          ///< of those, rows of this kernel on this board
  std::optional<double> optimum_ms; ///< of the recorded table
  [[nodiscard]] std::optional<std::size_t> best() const; ///< position in runs
};

/// Runs the search and its campaign on silicon; all that is finished is kept in `store` and beside
/// it. Returns why it ended, as SearchDriver::run() does.
std::string run_ladder_session(const SearchOptions& options,
                               const SearchPlan& plan,
                               search::SearchStore& store,
                               LadderOutcome& outcome);

} // namespace coulomb::cli
