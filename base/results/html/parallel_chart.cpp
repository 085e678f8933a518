// SPDX-License-Identifier: Apache-2.0
#include "base/results/html/parallel_chart.hpp"

#include "base/error.hpp"
#include "base/results/html/svg.hpp"
#include "base/results/html/text.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace coulomb::html {
namespace {

using svg::Anchor;
using svg::coordinate;

constexpr double kSpacing = 96.0;      ///< at least, from axis to axis
constexpr double kWideSpacing = 220.0; ///< at most
constexpr double kSide = 60.0;         ///< left of the first axis and right of the last
constexpr double kLegendHeight = 30.0;
constexpr double kTop = kLegendHeight + 34.0; ///< two rows of titles, so that neighbours may touch
constexpr double kHeight = 280.0;
constexpr double kBottom = 20.0;
constexpr double kLabelHeight = 15.0;
constexpr double kMarkHeight = 3.0; ///< below which marks of an axis run together
constexpr double kBundle = 7.0;     ///< half the width of the widest bundle, pixels
constexpr std::array<std::string_view, 3> kClasses = {"quiet", "plain", "strong"};

struct Frame {
  double spacing = 0.0;
  double width = 0.0;

  [[nodiscard]] double x(std::size_t axis) const {
    return kSide + spacing * static_cast<double>(axis);
  }
  [[nodiscard]] static double y(double position) { return kTop + kHeight * (1.0 - position); }
};

Frame frame_of(const ParallelChart& chart) {
  const auto gaps = static_cast<double>(chart.axes.size() - 1);
  Frame frame;
  frame.spacing =
      std::clamp((svg::kWidth - 2 * kSide) / std::max(gaps, 1.0), kSpacing, kWideSpacing);
  frame.width = std::max(2 * kSide + frame.spacing * gaps, svg::kWidth / 2);
  return frame;
}

std::string legend(const ParallelChart& chart) {
  std::string out;
  double x = 10;
  const std::array<const std::string*, 3> names = {&chart.quiet, &chart.plain, &chart.strong};
  for (std::size_t i = names.size(); i-- > 0;) {
    if (!names[i]->empty()) {
      out += svg::line(x, 12, x + 20, 12, kClasses[i]);
      out += svg::text(x + 26, 16, Anchor::start, *names[i]);
      x += 26 + text_width(*names[i], svg::kFont) + 20;
    }
  }
  return out;
}

std::string axis(const ParallelAxis& axis, const Frame& frame, std::size_t index) {
  const double x = frame.x(index);
  const auto columns = static_cast<std::size_t>(2 * frame.spacing / (0.6 * svg::kFont)) - 3;
  std::string out = svg::line(x, kTop, x, kTop + kHeight, "axis");
  out += svg::text(std::max(x, 4 + text_width(shorten(axis.title, columns), svg::kFont) / 2),
                   kTop - (index % 2 == 0 ? 26 : 10), Anchor::middle, axis.title, columns);
  const auto value_columns = static_cast<std::size_t>((frame.spacing - 16) / (0.6 * svg::kFont));
  double free_below = kTop + kHeight + kLabelHeight;
  double marked_below = kTop + kHeight + kMarkHeight;
  for (const auto& tick : axis.ticks) {
    const double y = Frame::y(tick.position);
    const bool last = &tick == &axis.ticks.back();
    if (marked_below - y >= kMarkHeight || last) {
      out += svg::line(x - 3, y, x + 3, y, "axis");
      marked_below = y;
    }
    // A label in the last one's way gives way to it.
    const bool in_its_way =
        !last && y - Frame::y(axis.ticks.back().position) < kLabelHeight && axis.ticks.size() > 1;
    if (free_below - y >= kLabelHeight - 1e-6 && !in_its_way) {
      out += svg::text(x + 9, y + 4, Anchor::start, tick.label, value_columns, "halo");
      free_below = y;
    }
  }
  return out;
}

std::string lines(const ParallelChart& chart, const Frame& frame, Weight weight) {
  std::size_t count = 0;
  for (const auto& line : chart.lines) {
    count += line.weight == weight ? 1 : 0;
  }
  std::string out;
  std::size_t nth = 0;
  for (const auto& line : chart.lines) {
    if (line.weight != weight) {
      continue;
    }
    COULOMB_CHECK(line.positions.size() == chart.axes.size(), "{} positions for {} axes",
                  line.positions.size(), chart.axes.size());
    const double aside =
        count < 2
            ? 0.0
            : kBundle * (2.0 * static_cast<double>(nth) / static_cast<double>(count - 1) - 1.0);
    ++nth;
    std::string data;
    for (std::size_t i = 0; i < line.positions.size(); ++i) {
      data += fmt::format("{}{} {}", i == 0 ? "M" : "L", coordinate(frame.x(i)),
                          coordinate(Frame::y(line.positions[i]) + aside));
    }
    out += line.label.empty()
               ? svg::path(data, kClasses[static_cast<std::size_t>(weight)])
               : fmt::format("<g><title>{}</title>{}</g>\n", escape(line.label),
                             svg::path(data, kClasses[static_cast<std::size_t>(weight)]));
  }
  return out;
}

} // namespace

std::string to_html(const ParallelChart& chart) {
  COULOMB_CHECK(!chart.axes.empty(), "parallel coordinates without an axis");
  const Frame frame = frame_of(chart);
  std::string out =
      svg::open(frame.width, kTop + kHeight + kBottom, frame.width * 0.82, chart.description);
  out += legend(chart);
  for (const Weight weight : {Weight::quiet, Weight::plain, Weight::strong}) {
    out += lines(chart, frame, weight);
  }
  for (std::size_t i = 0; i < chart.axes.size(); ++i) {
    out += axis(chart.axes[i], frame, i);
  }
  return out + svg::close();
}

} // namespace coulomb::html
