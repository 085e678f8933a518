// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/html/axis.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::html {

struct ScatterPoint {
  double x = 0.0;
  double y = 0.0;
  std::string label; ///< tooltip; empty: the point costs the page the fewest bytes
};

enum class Mark : std::uint8_t {
  dot,  ///< small and quiet
  ring, ///< stands out from the dots
  step, ///< a line: level until the next point's x, then to its y
};

/// Points that are drawn alike and named in the legend; those of a step line by rising x.
struct ScatterSeries {
  std::string name;
  Mark mark = Mark::dot;
  std::vector<ScatterPoint> points;
};

/// Events without a y, ticked off on a strip of their own under the chart.
struct ScatterStrip {
  std::string name;
  std::vector<double> xs;
};

/// Points over two axes: a search's progress, a Pareto front, simulated against measured.
struct ScatterChart {
  std::string description; ///< in one sentence
  Axis x;
  Axis y;
  std::vector<ScatterSeries> series;
  std::vector<ScatterStrip> strips;
};

/// Where a chart of these strips has its plot, in its pixels.
struct PlotArea {
  double left = 0.0;
  double top = 0.0;
  double right = 0.0;
  double bottom = 0.0;
};
[[nodiscard]] PlotArea plot_area(const ScatterChart& chart);
/// The chart as inline SVG. Strip ticks that fall on the same pixel are drawn once.
[[nodiscard]] std::string to_html(const ScatterChart& chart);

} // namespace coulomb::html
