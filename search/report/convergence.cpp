// SPDX-License-Identifier: Apache-2.0
#include "search/report/convergence.hpp"

#include "base/error.hpp"
#include "base/results/html/elements.hpp"
#include "base/results/html/text.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace coulomb::search {
namespace {

using eval::EvalStatus;
constexpr std::size_t kMostTooltips = 500;
constexpr double kNearBest = 1.05;

std::string tooltip(const EvaluationRecord& e, const Measure& measure, std::size_t position) {
  return fmt::format("candidate {}: {}, {}", e.id, measure.text(position),
                     html::shorten(e.origin, 40));
}

html::ScatterSeries evaluated(const SearchRecords& records,
                              const Measure& measure,
                              std::size_t ok,
                              std::size_t stride) {
  html::ScatterSeries dots{.name = stride == 1 ? std::string("evaluation")
                                               : fmt::format("evaluation (one in {})", stride),
                           .mark = html::Mark::dot,
                           .points = {}};
  std::size_t nth = 0;
  for (std::size_t i = 0; i < records.evaluations.size(); ++i) {
    const auto& e = records.evaluations[i];
    if (e.status == EvalStatus::ok && nth++ % stride == 0) {
      dots.points.push_back({static_cast<double>(e.id), measure.values[i],
                             ok <= kMostTooltips ? tooltip(e, measure, i) : std::string()});
    }
  }
  return dots;
}

std::vector<html::ScatterStrip> failures(const SearchRecords& records) {
  std::vector<html::ScatterStrip> strips;
  for (int i = 1; i < eval::kEvalStatusCount; ++i) {
    const auto status = static_cast<EvalStatus>(i);
    html::ScatterStrip strip{std::string(eval::to_string(status)), {}};
    for (const auto& e : records.evaluations) {
      if (e.status == status) {
        strip.xs.push_back(static_cast<double>(e.id));
      }
    }
    if (!strip.xs.empty()) {
      strips.push_back(std::move(strip));
    }
  }
  return strips;
}

/// When the search was near where it ended.
std::string progress_sentence(const SearchRecords& records,
                              const Measure& measure,
                              const std::vector<std::size_t>& best) {
  const double least = measure.costs[best.back()];
  const double margin = (kNearBest - 1.0) * std::abs(least);
  const auto near =
      std::ranges::find_if(best, [&](std::size_t i) { return measure.costs[i] <= least + margin; });
  return fmt::format("The best is candidate {}; from candidate {} on the best so far was within "
                     "5 % of it. {} evaluations were the best when they came.",
                     records.evaluations[best.back()].id, records.evaluations[*near].id,
                     with_thousands(best.size()));
}

} // namespace

std::vector<std::size_t> improvements(const SearchRecords& records, const Measure& measure) {
  std::vector<std::size_t> positions;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < records.evaluations.size(); ++i) {
    const auto& e = records.evaluations[i];
    if (e.status == EvalStatus::ok && measure.costs[i] < best) {
      best = measure.costs[i];
      positions.push_back(i);
    }
  }
  return positions;
}

ConvergenceChart convergence_chart(const SearchRecords& records, const Measure& measure) {
  std::vector<double> values;
  for (std::size_t i = 0; i < records.evaluations.size(); ++i) {
    if (records.evaluations[i].status == EvalStatus::ok) {
      values.push_back(measure.values[i]);
    }
  }
  COULOMB_CHECK(!values.empty(), "a convergence chart of evaluations that all failed");
  ConvergenceChart result;
  result.stride = (values.size() + kMostDots - 1) / kMostDots;
  html::ScatterSeries line{.name = "best so far", .mark = html::Mark::step, .points = {}};
  html::ScatterSeries rings{.name = "new best", .mark = html::Mark::ring, .points = {}};
  for (const std::size_t i : improvements(records, measure)) {
    const auto& e = records.evaluations[i];
    rings.points.push_back({static_cast<double>(e.id), measure.values[i], tooltip(e, measure, i)});
    line.points.push_back({static_cast<double>(e.id), measure.values[i], {}});
  }
  const std::uint64_t last = records.evaluations.back().id;
  line.points.push_back({static_cast<double>(last), line.points.back().y, {}});
  auto& chart = result.chart;
  chart.description =
      fmt::format("{} of each of {} evaluations, and the best so far",
                  measure.name == "time" ? "Time" : measure.name, records.evaluations.size());
  chart.x = html::counting_axis("candidate, in the order of proposal", last);
  chart.y = html::fitting_axis(measure.title(), values);
  if (chart.y.logarithmic) {
    chart.y.title += ", logarithmic: equal steps are equal ratios";
  }
  chart.series = {evaluated(records, measure, values.size(), result.stride), std::move(line),
                  std::move(rings)};
  chart.strips = failures(records);
  return result;
}

std::string convergence_section(const SearchRecords& records, const Measure& measure) {
  const auto best = improvements(records, measure);
  if (best.empty()) {
    return html::paragraph("No configuration has run, so there is nothing to draw.");
  }
  const auto [chart, stride] = convergence_chart(records, measure);
  std::string out =
      html::paragraph(progress_sentence(records, measure, best)) + html::to_html(chart);
  if (!chart.strips.empty()) {
    out += html::remark("A stroke under the chart is an evaluation that failed, on the strip of "
                        "its status.");
  }
  if (stride > 1) {
    out += html::remark(fmt::format("To keep this page small, one in {} of the evaluations that "
                                    "ran is drawn as a dot; the line and its rings know them all.",
                                    stride));
  }
  return out;
}

} // namespace coulomb::search
