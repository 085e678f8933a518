// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/status.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace coulomb::calibration {

/// What a candidate's costs under k draws of the noise come down to.
enum class RobustScore : std::uint8_t {
  mean,
  cvar, ///< mean of the worst share alpha (Rockafellar and Uryasev 2000)
  worst
};

/// "mean", "cvar", "worst".
[[nodiscard]] std::string_view to_string(RobustScore score);
/// Throws UserError with the words that there are.
[[nodiscard]] RobustScore robust_score_from_string(const std::string& word);

/// One draw's evaluation.
struct DrawOutcome {
  eval::EvalStatus status = eval::EvalStatus::ok;
  double cost = 0.0; ///< smaller is better; counts only if ok
};

struct RobustOutcome {
  eval::EvalStatus status = eval::EvalStatus::ok; ///< of the first draw that failed, else ok
  std::optional<double> score;                    ///< present exactly if ok
};

/// `alpha` in (0, 1]: the share of draws that CVaR takes, by weight: of 8 draws, 0.2 is the worst
/// one and 0.6 of the next. 1 gives the mean; up to 1/k gives the worst. Other scores do not use
/// it. Throws UserError for an alpha outside. Takes at least one draw.
[[nodiscard]] RobustOutcome
robust_score(std::span<const DrawOutcome> draws, RobustScore score, double alpha);

} // namespace coulomb::calibration
