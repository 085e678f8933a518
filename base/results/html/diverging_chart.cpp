// SPDX-License-Identifier: Apache-2.0
#include "base/results/html/diverging_chart.hpp"

#include "base/results/html/axis.hpp"
#include "base/results/html/svg.hpp"
#include "base/results/html/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace coulomb::html {
namespace {

using svg::Anchor;

constexpr double kRow = 26.0;
constexpr double kBar = 16.0;
constexpr double kAxisHeight = 44.0;
constexpr double kNoteRoom = 150.0; ///< left and right of the longest bars, for their notes
constexpr std::size_t kNameColumns = 34;
constexpr std::size_t kNoteColumns = 22;

} // namespace

std::string to_html(const DivergingChart& chart) {
  std::vector<double> values = {0.0};
  double names = 0.0;
  for (const Span& span : chart.spans) {
    values.push_back(100.0 * span.low);
    values.push_back(100.0 * span.high);
    names = std::max(names, text_width(shorten(span.name, kNameColumns), svg::kFont));
  }
  const Axis axis = linear_axis(chart.title, values);
  const double left = std::ceil(svg::kMargin + names + 8 + kNoteRoom);
  const double right = svg::kWidth - svg::kMargin - kNoteRoom;
  const auto x_of = [&](double percent) { return left + (right - left) * axis.fraction(percent); };
  const double bottom = svg::kMargin + kRow * static_cast<double>(chart.spans.size());
  std::string out =
      svg::open(svg::kWidth, bottom + kAxisHeight, svg::kLeastWidth, chart.description);
  for (const double tick : axis.ticks) {
    out += svg::line(x_of(tick), svg::kMargin, x_of(tick), bottom, tick == 0.0 ? "axis" : "grid");
    out += svg::text(x_of(tick), bottom + 16, Anchor::middle, tick_label(tick) + " %");
  }
  out += svg::text(right, bottom + 36, Anchor::end, chart.title);
  for (std::size_t i = 0; i < chart.spans.size(); ++i) {
    const Span& span = chart.spans[i];
    const double top = svg::kMargin + kRow * static_cast<double>(i);
    const double text_y = top + kRow / 2 + 4;
    const double from = x_of(100.0 * span.low);
    const double to = x_of(100.0 * span.high);
    out += svg::text(svg::kMargin + names, text_y, Anchor::end, span.name, kNameColumns);
    out += svg::rect(from, top + (kRow - kBar) / 2, std::max(to - from, 1.0), kBar, "bar");
    out += svg::text(from - 6, text_y, Anchor::end, span.low_note, kNoteColumns, "halo");
    out += svg::text(to + 6, text_y, Anchor::start, span.high_note, kNoteColumns, "halo");
  }
  return out + svg::close();
}

} // namespace coulomb::html
