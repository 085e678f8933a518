// SPDX-License-Identifier: Apache-2.0
#include "base/results/html/bar_chart.hpp"

#include "base/results/html/svg.hpp"
#include "base/results/html/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace coulomb::html {
namespace {

using svg::Anchor;

constexpr double kRow = 24.0;
constexpr double kBar = 16.0;
constexpr double kAxisHeight = 44.0;
constexpr std::size_t kNameColumns = 32;
constexpr std::size_t kNoteColumns = 34;

} // namespace

std::string to_html(const BarChart& chart) {
  double names = 0.0;
  double notes = 0.0;
  for (const Bar& bar : chart.bars) {
    names = std::max(names, text_width(shorten(bar.name, kNameColumns), svg::kFont));
    notes = std::max(notes, text_width(shorten(bar.note, kNoteColumns), svg::kFont));
  }
  const double left = std::ceil(svg::kMargin + names + 6);
  // The longest bar's note still fits.
  const double right = std::floor(svg::kWidth - svg::kMargin - std::max(notes + 8, 24.0));
  const double bottom = svg::kMargin + kRow * static_cast<double>(chart.bars.size());
  std::string out =
      svg::open(svg::kWidth, bottom + kAxisHeight, svg::kLeastWidth, chart.description);
  for (const int percent : {0, 20, 40, 60, 80, 100}) {
    const double x = left + (right - left) * percent / 100.0;
    out += svg::line(x, svg::kMargin, x, bottom, percent == 0 ? "axis" : "grid");
    out += svg::text(x, bottom + 16, Anchor::middle, fmt::format("{} %", percent));
  }
  out += svg::text(right, bottom + 36, Anchor::end, chart.title);
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const Bar& bar = chart.bars[i];
    const double top = svg::kMargin + kRow * static_cast<double>(i);
    const double length = (right - left) * std::clamp(bar.value, 0.0, 1.0);
    out += svg::text(left - 6, top + kRow / 2 + 4, Anchor::end, bar.name, kNameColumns);
    out += svg::rect(left, top + (kRow - kBar) / 2, length, kBar, bar.faint ? "faint bar" : "bar");
    out += svg::text(left + length + 6, top + kRow / 2 + 4, Anchor::start, bar.note, kNoteColumns,
                     "halo");
  }
  return out + svg::close();
}

} // namespace coulomb::html
