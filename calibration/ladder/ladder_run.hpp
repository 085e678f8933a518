// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/ladder/campaign.hpp"
#include "search/driver/search_driver.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace coulomb::calibration {

/// How the simulations of a search are spread over the batches on silicon.
struct LadderSchedule {
  std::uint64_t simulations = 200;
  std::size_t rounds = 4;   ///< batches that the silicon budget allows
  double first_share = 0.6; ///< of the simulations come before the first batch, if there are more
};

/// Simulations that are done before batch `round` (0-based).
[[nodiscard]] std::uint64_t simulations_before(const LadderSchedule& schedule, std::size_t round);

/// What a search and its campaign have to do with each other.
struct LadderParts {
  search::SearchDriver& driver;
  search::Strategy& strategy;
  const search::SearchStore& store;
  Campaign& campaign;
  std::string board;
  std::string spec;
  /// Told of each batch.
  std::function<void(const CampaignRound&)> finished;
};

/// Simulates and measures in turns: what silicon says in a batch corrects the times that the search
/// goes on with. Ends when both budgets are spent, or nothing more is worth a run. Returns what
/// SearchDriver::run() does.
std::string run_ladder(LadderParts& parts, const LadderSchedule& schedule);

/// Batches on the candidates that the campaign has, until nothing more is worth a run. False: it
/// was interrupted.
bool run_rounds(Campaign& campaign, const std::function<void(const CampaignRound&)>& finished);

} // namespace coulomb::calibration
