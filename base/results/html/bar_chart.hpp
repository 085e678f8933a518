// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::html {

struct Bar {
  std::string name;
  double value = 0.0; ///< share of the axis, 0 to 1
  std::string note;   ///< stands behind the bar
  bool faint = false; ///< drawn as an outline: not to be relied on
};

/// Horizontal bars, one below the other, each with its name, over an axis from 0 to 100 %.
struct BarChart {
  std::string description; ///< in one sentence
  std::string title;       ///< of the axis, with its unit
  std::vector<Bar> bars;
};

[[nodiscard]] std::string to_html(const BarChart& chart);

} // namespace coulomb::html
