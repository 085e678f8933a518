// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/accuracy/accuracy_report.hpp"

#include <string>

namespace coulomb::calibration {

/// Predicted against silicon times as inline SVG: square, both axes logarithmic and alike, with the
/// diagonal and the band of +-10 % about it. Simulated times are rings, calibrated ones (the
/// configuration held out) dots. Of more than kMostMarks points every second, third, ... is shown,
/// and the legend says so.
[[nodiscard]] std::string chart_of(const AccuracyScatter& scatter);
inline constexpr std::size_t kMostMarks = 2000;

} // namespace coulomb::calibration
