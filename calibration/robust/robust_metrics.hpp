// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/noise/robust_score.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::calibration {

/// Prefix of the metrics that the draws of the model noise give, beside those of one simulation.
inline constexpr std::string_view kRobustPrefix = "robust__";
/// Share of the draws, the slowest ones, that the CVaR of the time takes. Of fewer than five draws
/// it is the slowest.
inline constexpr double kCvarShare = 0.25;

/// The metric of a score of the time: "robust__time_ms.mean", ".cvar", ".worst".
[[nodiscard]] std::string robust_metric(RobustScore score);
/// Names of robust_metrics().
[[nodiscard]] std::vector<std::string> robust_metric_names();
/// Of a candidate's times under the draws, ms, at least one: every score of the time, ms, and
/// "robust__time_ms.relative_deviation", the sample standard deviation over the mean (0 for one
/// draw).
[[nodiscard]] std::map<std::string, double> robust_metrics(std::span<const double> times_ms);

} // namespace coulomb::calibration
