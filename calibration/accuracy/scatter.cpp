// SPDX-License-Identifier: Apache-2.0
#include "calibration/accuracy/scatter.hpp"

#include "base/results/html/axis.hpp"
#include "base/results/html/svg.hpp"
#include "base/results/html/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace coulomb::calibration {
namespace {

namespace svg = html::svg;
using svg::Anchor;
using svg::coordinate;

constexpr double kSide = 460.0; ///< of the plot; pixels
constexpr double kLeft = 70.0;
constexpr double kTop = 46.0;
constexpr double kBand = 0.1;

/// Where times lie in the picture: the same scale on both axes.
struct Plot {
  html::Axis axis;

  [[nodiscard]] double x(double ms) const { return kLeft + axis.fraction(ms) * kSide; }
  [[nodiscard]] double y(double ms) const { return kTop + (1.0 - axis.fraction(ms)) * kSide; }
};

html::Axis axis_of(const AccuracyScatter& s) {
  std::vector<double> all = s.silicon_ms;
  all.insert(all.end(), s.simulated_ms.begin(), s.simulated_ms.end());
  all.insert(all.end(), s.calibrated_ms.begin(), s.calibrated_ms.end());
  const auto [least, greatest] = std::minmax_element(all.begin(), all.end());
  // A single time has no range of its own.
  all = {*least / (1.0 + kBand), *greatest * (1.0 + kBand)};
  return html::logarithmic_axis("silicon [ms]", all);
}

/// The line predicted = factor * silicon within the plot, from its lower to its upper end.
std::string along(const Plot& plot, double factor, bool back) {
  const double low = std::max(plot.axis.low, plot.axis.low / factor);
  const double high = std::min(plot.axis.high, plot.axis.high / factor);
  const double first = back ? high : low;
  const double last = back ? low : high;
  return fmt::format("{} {}L{} {}", coordinate(plot.x(first)), coordinate(plot.y(first * factor)),
                     coordinate(plot.x(last)), coordinate(plot.y(last * factor)));
}

std::string band(const Plot& plot) {
  return svg::path(fmt::format("M{}L{}Z", along(plot, 1.0 + kBand, false),
                               along(plot, 1.0 - kBand, true)),
                   "strip") +
         svg::path(fmt::format("M{}", along(plot, 1.0 + kBand, false)), "faint") +
         svg::path(fmt::format("M{}", along(plot, 1.0 - kBand, false)), "faint") +
         svg::path(fmt::format("M{}", along(plot, 1.0, false)), "axis");
}

std::string frame(const Plot& plot) {
  std::string out;
  for (const double tick : plot.axis.ticks) {
    out += svg::line(plot.x(tick), kTop, plot.x(tick), kTop + kSide, "grid");
    out += svg::line(kLeft, plot.y(tick), kLeft + kSide, plot.y(tick), "grid");
    out += svg::text(plot.x(tick), kTop + kSide + 16, Anchor::middle, html::tick_label(tick));
    out += svg::text(kLeft - 6, plot.y(tick) + 4, Anchor::end, html::tick_label(tick));
  }
  out += svg::text(svg::kMargin, kTop - 8, Anchor::start, "predicted [ms]");
  return out + svg::text(kLeft + kSide, kTop + kSide + 36, Anchor::end, plot.axis.title);
}

std::size_t stride_of(const AccuracyScatter& s) {
  return (s.silicon_ms.size() + kMostMarks - 1) / kMostMarks;
}

std::string rings(const Plot& plot, const AccuracyScatter& s) {
  std::string out;
  for (std::size_t i = 0; i < s.silicon_ms.size(); i += stride_of(s)) {
    out += svg::circle(plot.x(s.silicon_ms[i]), plot.y(s.simulated_ms[i]), 2.5, "plain", {});
  }
  return out;
}

/// Lines of no length with round ends: the fewest bytes a dot.
std::string dots(const Plot& plot, const AccuracyScatter& s) {
  std::string data;
  for (std::size_t i = 0; i < s.calibrated_ms.size(); i += stride_of(s)) {
    data += fmt::format("M{} {}h0", coordinate(plot.x(s.silicon_ms[i])),
                        coordinate(plot.y(s.calibrated_ms[i])));
  }
  return data.empty() ? "" : svg::path(data, "dots");
}

std::string legend(const AccuracyScatter& s) {
  const std::size_t stride = stride_of(s);
  const std::string shown =
      stride > 1 ? fmt::format(", one point in {} shown", stride) : std::string();
  const std::string simulated = "simulated" + shown;
  double x = svg::kMargin + 10;
  std::string out = svg::circle(x, 12, 2.5, "plain", {});
  out += svg::text(x + 12, 16, Anchor::start, simulated);
  x += html::text_width(simulated, svg::kFont) + 40;
  if (!s.calibrated_ms.empty()) {
    const std::string_view calibrated = "calibrated, configuration held out";
    out += svg::circle(x, 12, 2.5, "dot", {}) + svg::text(x + 12, 16, Anchor::start, calibrated);
    x += html::text_width(calibrated, svg::kFont) + 40;
  }
  out += svg::rect(x, 6, 20, 12, "strip");
  return out + svg::text(x + 26, 16, Anchor::start, "within 10 % of silicon");
}

} // namespace

std::string chart_of(const AccuracyScatter& scatter) {
  if (scatter.silicon_ms.empty()) {
    return {};
  }
  const Plot plot{axis_of(scatter)};
  // The band lies lowest: its fill would hide what is under it.
  return svg::open(svg::kWidth, kTop + kSide + 44, svg::kLeastWidth,
                   fmt::format("predicted against silicon times of {} configurations of {} on {}",
                               scatter.silicon_ms.size(), scatter.spec, scatter.board)) +
         legend(scatter) + band(plot) + frame(plot) + dots(plot, scatter) + rings(plot, scatter) +
         svg::close();
}

} // namespace coulomb::calibration
