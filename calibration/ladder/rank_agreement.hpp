// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/ladder/campaign.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::calibration {

/// How far two rungs agree about who is faster.
struct RankAgreement {
  std::string lower;                ///< name of the rung that promoted
  std::string upper;                ///< name of the rung that was asked next
  std::size_t n = 0;                ///< candidates that both timed
  std::optional<double> spearman;   ///< of the times; nothing for n < 3 or without spread
  std::optional<double> top_regret; ///< what the upper rung's time of the lower one's favourite is
                                    ///< above the upper one's least; a fraction
};

/// The first rung against each other one, and everything against silicon: simulated times, those of
/// each rung, and what was expected of a candidate before it was measured. Candidates that reach a
/// rung were chosen for being alike in time: their ranks agree less than those of the space.
[[nodiscard]] std::vector<RankAgreement> rank_agreements(const Campaign& campaign,
                                                         const std::string& first_rung);

} // namespace coulomb::calibration
