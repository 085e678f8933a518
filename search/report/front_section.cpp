// SPDX-License-Identifier: Apache-2.0
#include "search/report/front_section.hpp"

#include "base/results/html/elements.hpp"
#include "base/text.hpp"
#include "search/pareto/hypervolume.hpp"
#include "search/report/convergence.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace coulomb::search {
namespace {

using eval::EvalStatus;

/// Best first by x, so that y gets better along it.
html::ScatterSeries rings_of(const SearchRecords& records,
                             std::vector<std::size_t> front,
                             const Measure& x,
                             const Measure& y) {
  std::ranges::stable_sort(front, {}, [&](std::size_t i) { return x.values[i]; });
  html::ScatterSeries rings{.name = "the front", .mark = html::Mark::ring, .points = {}};
  for (const std::size_t i : front) {
    rings.points.push_back(
        {x.values[i], y.values[i],
         fmt::format("candidate {}: {}, {}", records.evaluations[i].id, x.text(i), y.text(i))});
  }
  return rings;
}

/// A step line goes level, then to the next y. Where a larger x is the better one, what the points
/// dominate ends at the next point's x instead: the corner lies on the other side.
html::ScatterSeries edge_of(const html::ScatterSeries& rings, bool x_maximised) {
  html::ScatterSeries edge{.name = "its edge", .mark = html::Mark::step, .points = {}};
  for (const auto& point : rings.points) {
    if (x_maximised && !edge.points.empty()) {
      edge.points.push_back({edge.points.back().x, point.y, {}});
    }
    edge.points.push_back({point.x, point.y, {}});
  }
  return edge;
}

} // namespace

html::ScatterChart front_chart(const SearchRecords& records,
                               const std::vector<std::size_t>& front,
                               const Measure& x,
                               const Measure& y,
                               bool steps) {
  std::vector<double> xs;
  std::vector<double> ys;
  html::ScatterSeries dots{.name = "evaluation", .mark = html::Mark::dot, .points = {}};
  for (std::size_t i = 0; i < records.evaluations.size(); ++i) {
    if (records.evaluations[i].status == EvalStatus::ok) {
      xs.push_back(x.values[i]);
      ys.push_back(y.values[i]);
    }
  }
  const std::size_t stride = (xs.size() + kMostDots - 1) / kMostDots;
  for (std::size_t i = 0; i < xs.size(); i += stride) {
    dots.points.push_back({xs[i], ys[i], {}});
  }
  html::ScatterChart chart;
  chart.description = fmt::format("{} against {} of {} evaluations, and the front of {}", y.name,
                                  x.name, xs.size(), front.size());
  chart.x = html::fitting_axis(x.title(), xs);
  chart.y = html::fitting_axis(y.title(), ys);
  auto rings = rings_of(records, front, x, y);
  chart.series.push_back(std::move(dots));
  if (steps && !front.empty()) {
    chart.series.push_back(edge_of(rings, x.maximised));
  }
  chart.series.push_back(std::move(rings));
  return chart;
}

html::ScatterChart growth_chart(const SearchRecords& records, const Ranking& ranking) {
  html::ScatterSeries line{.name = "hypervolume", .mark = html::Mark::step, .points = {}};
  GrowingFront growing;
  std::vector<double> volumes = {0.0};
  const std::size_t stride = records.evaluations.size() / kMostDots + 1;
  for (std::size_t i = 0; i < records.evaluations.size(); ++i) {
    const Fitness& fitness = ranking.fitnesses()[i];
    if (fitness.status == EvalStatus::ok) {
      growing.add(fitness.objectives);
    }
    const bool drawn = i % stride == 0 || i + 1 == records.evaluations.size();
    if (const auto volume = drawn ? growing.hypervolume() : std::nullopt) {
      volumes.push_back(*volume);
      line.points.push_back({static_cast<double>(records.evaluations[i].id), *volume, {}});
    }
  }
  html::ScatterChart chart;
  chart.description = "Hypervolume of the front after each evaluation";
  chart.x =
      html::counting_axis("candidate, in the order of proposal", records.evaluations.back().id);
  chart.y = html::linear_axis("hypervolume [1]", volumes);
  if (!line.points.empty()) {
    chart.series.push_back(std::move(line));
  }
  return chart;
}

std::string front_section(const SearchRecords& records, const Ranking& ranking) {
  const auto front = ranking.front();
  const std::size_t count = ranking.scorer().count();
  std::vector<Measure> measures;
  for (std::size_t m = 0; m < count; ++m) {
    measures.push_back(measure_of(records, ranking, m));
  }
  std::string out = html::paragraph(fmt::format(
      "{} {} on the front: no other evaluation is at least as good in every objective "
      "and better in one.",
      with_thousands(front.size()), front.size() == 1 ? "evaluation is" : "evaluations are"));
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      out += html::to_html(front_chart(records, front, measures[a], measures[b], count == 2));
    }
  }
  const auto growth = growth_chart(records, ranking);
  if (growth.series.empty()) {
    return out + html::remark(fmt::format("Below {} evaluations that ran there is no hypervolume "
                                          "to draw.",
                                          GrowingFront::kFirst));
  }
  return out + html::to_html(growth) +
         html::remark(fmt::format("The hypervolume is what the front dominates, each objective "
                                  "scaled so that its worst among the first {} that ran is 1 and "
                                  "its best 0. It grows as the front gets better.",
                                  GrowingFront::kFirst));
}

} // namespace coulomb::search
