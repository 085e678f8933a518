// SPDX-License-Identifier: Apache-2.0
#include "base/results/html/scatter_chart.hpp"

#include "base/results/html/svg.hpp"
#include "base/results/html/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace coulomb::html {
namespace {

using svg::Anchor;
using svg::coordinate;

constexpr double kPlotHeight = 300.0;
constexpr double kLegendHeight = 24.0;
constexpr double kTitleHeight = 22.0;
constexpr double kTickRoom = 22.0; ///< below the plot for the x axis's numbers
constexpr double kStripHeight = 18.0;
constexpr std::size_t kStripColumns = 18; ///< of a strip's name

double x_of(const ScatterChart& chart, const PlotArea& area, double x) {
  return area.left + chart.x.fraction(x) * (area.right - area.left);
}

double y_of(const ScatterChart& chart, const PlotArea& area, double y) {
  return area.bottom - chart.y.fraction(y) * (area.bottom - area.top);
}

/// A sample of the mark beside each name, as many names to a line as there is room for.
std::string legend(const ScatterChart& chart) {
  std::string out;
  double x = svg::kMargin;
  for (const auto& series : chart.series) {
    const double y = kLegendHeight / 2.0;
    switch (series.mark) {
    case Mark::dot:
      out += svg::circle(x + 10, y, 2.5, "dot", {});
      break;
    case Mark::ring:
      out += svg::circle(x + 10, y, 4.5, "ring", {});
      break;
    case Mark::step:
      out += svg::line(x, y, x + 20, y, "step");
      break;
    }
    out += svg::text(x + 26, y + 4, Anchor::start, series.name);
    x += 26 + text_width(series.name, svg::kFont) + 20;
  }
  return out;
}

std::string y_axis(const ScatterChart& chart, const PlotArea& area) {
  std::string out = svg::text(svg::kMargin, area.top - 10, Anchor::start, chart.y.title);
  for (const double tick : chart.y.ticks) {
    const double y = y_of(chart, area, tick);
    out += svg::line(area.left, y, area.right, y, "grid");
    out += svg::text(area.left - 6, y + 4, Anchor::end, tick_label(tick));
  }
  return out;
}

std::string x_axis(const ScatterChart& chart, const PlotArea& area, double axis_y) {
  std::string out;
  for (const double tick : chart.x.ticks) {
    const double x = x_of(chart, area, tick);
    out += svg::line(x, area.top, x, axis_y, "grid");
    out += svg::text(x, axis_y + 16, Anchor::middle, tick_label(tick));
  }
  out += svg::line(area.left, area.bottom, area.right, area.bottom, "axis");
  out += svg::line(area.left, area.top, area.left, area.bottom, "axis");
  out += svg::text(area.right, axis_y + kTickRoom + 14, Anchor::end, chart.x.title);
  return out;
}

std::string
step_line(const ScatterChart& chart, const PlotArea& area, const ScatterSeries& series) {
  std::string data;
  for (const auto& point : series.points) {
    const std::string x = coordinate(x_of(chart, area, point.x));
    const std::string y = coordinate(y_of(chart, area, point.y));
    data += data.empty() ? fmt::format("M{} {}", x, y) : fmt::format("H{}V{}", x, y);
  }
  return data.empty() ? "" : svg::path(data, "step");
}

std::string marks(const ScatterChart& chart, const PlotArea& area, const ScatterSeries& series) {
  const bool ring = series.mark == Mark::ring;
  std::string data; // of all points without a tooltip: a line of no length with round ends each
  std::string out;
  for (const auto& point : series.points) {
    const double x = x_of(chart, area, point.x);
    const double y = y_of(chart, area, point.y);
    if (point.label.empty() && !ring) {
      data += fmt::format("M{} {}h0", coordinate(x), coordinate(y));
    } else {
      out += svg::circle(x, y, ring ? 4.5 : 2.5, ring ? "ring" : "dot", point.label);
    }
  }
  return (data.empty() ? "" : svg::path(data, "dots")) + out;
}

std::string strips(const ScatterChart& chart, const PlotArea& area) {
  std::string out;
  for (std::size_t i = 0; i < chart.strips.size(); ++i) {
    const double top = area.bottom + 4 + kStripHeight * static_cast<double>(i);
    out += svg::text(area.left - 6, top + 13, Anchor::end, chart.strips[i].name, kStripColumns);
    out += svg::rect(area.left, top, area.right - area.left, kStripHeight - 2, "strip");
    std::set<double> drawn;
    std::string data;
    for (const double x : chart.strips[i].xs) {
      const double at = std::round(x_of(chart, area, x));
      if (drawn.insert(at).second) {
        data += fmt::format("M{} {}v{}", coordinate(at), coordinate(top + 2),
                            coordinate(kStripHeight - 6));
      }
    }
    out += data.empty() ? "" : svg::path(data, "tick");
  }
  return out;
}

} // namespace

PlotArea plot_area(const ScatterChart& chart) {
  double labels = 0.0;
  for (const double tick : chart.y.ticks) {
    labels = std::max(labels, text_width(tick_label(tick), svg::kFont));
  }
  for (const auto& strip : chart.strips) {
    labels = std::max(labels, text_width(shorten(strip.name, kStripColumns), svg::kFont));
  }
  PlotArea area;
  area.left = std::ceil(svg::kMargin + labels + 6);
  area.top = kLegendHeight + kTitleHeight;
  area.right = svg::kWidth - 2 * svg::kMargin - 10;
  area.bottom = area.top + kPlotHeight;
  return area;
}

std::string to_html(const ScatterChart& chart) {
  const PlotArea area = plot_area(chart);
  const double axis_y =
      area.bottom +
      (chart.strips.empty() ? 0.0 : 4 + kStripHeight * static_cast<double>(chart.strips.size()));
  std::string out =
      svg::open(svg::kWidth, axis_y + 2 * kTickRoom, svg::kLeastWidth, chart.description);
  out += legend(chart) + y_axis(chart, area) + x_axis(chart, area, axis_y) + strips(chart, area);
  // Lines lie over dots, and what stands out over both.
  for (const Mark layer : {Mark::dot, Mark::step, Mark::ring}) {
    for (const auto& series : chart.series) {
      if (series.mark == layer) {
        out += layer == Mark::step ? step_line(chart, area, series) : marks(chart, area, series);
      }
    }
  }
  return out + svg::close();
}

} // namespace coulomb::html
