// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coulomb::html {

/// The values that one side of a chart spans.
struct Axis {
  std::string title; ///< with its unit: "time [us]"
  double low = 0.0;
  double high = 1.0; ///< above low
  bool logarithmic = false;
  std::vector<double> ticks; ///< rising, within [low, high]

  /// 0 at `low`, 1 at `high`; outside them it is not cut off.
  [[nodiscard]] double fraction(double value) const;
};

/// From a round number at or below the least of `values` to one at or above the greatest. If all
/// are the same, a tenth around it; if there are none, 0 to 1.
[[nodiscard]] Axis linear_axis(std::string title, std::span<const double> values);
/// A twentieth beyond `values`, all of them above 0 and the greatest above the least.
[[nodiscard]] Axis logarithmic_axis(std::string title, std::span<const double> values);
/// Logarithmic if the greatest of `values` is at least 5 times the least and all are above 0.
[[nodiscard]] Axis fitting_axis(std::string title, std::span<const double> values);
/// From 0 to exactly `last`, ticks at whole numbers.
[[nodiscard]] Axis counting_axis(std::string title, std::uint64_t last);

[[nodiscard]] std::string tick_label(double value);

} // namespace coulomb::html
