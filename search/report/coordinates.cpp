// SPDX-License-Identifier: Apache-2.0
#include "search/report/coordinates.hpp"

#include "base/results/html/axis.hpp"
#include "base/results/html/elements.hpp"
#include "base/results/html/text.hpp"
#include "base/text.hpp"
#include "search/report/parameter_levels.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace coulomb::search {
namespace {

/// Different configurations that ran, best first.
std::vector<std::size_t> by_rank(const SearchRecords& records, const Measure& measure) {
  auto positions = measured(records);
  std::ranges::stable_sort(positions, {}, [&](std::size_t i) { return measure.costs[i]; });
  return positions;
}

/// Where the value number `level` of `count` is on its axis.
double position_of(std::size_t level, std::size_t count) {
  return count < 2 ? 0.5 : static_cast<double>(level) / static_cast<double>(count - 1);
}

html::ParallelAxis axis_of(const ParameterLevels& parameter) {
  html::ParallelAxis axis{.title = parameter.name, .ticks = {}};
  for (std::size_t i = 0; i < parameter.values.size(); ++i) {
    axis.ticks.push_back(
        {position_of(i, parameter.values.size()), kernel::to_text(parameter.values[i])});
  }
  return axis;
}

html::Axis value_axis(const Measure& measure, const std::vector<std::size_t>& positions) {
  std::vector<double> values;
  for (const std::size_t i : positions) {
    values.push_back(measure.values[i]);
  }
  return html::fitting_axis(measure.title(), values);
}

/// At most `most` of the numbers from `first` to before `last`, evenly spaced.
std::vector<std::size_t> evenly(std::size_t first, std::size_t last, std::size_t most) {
  const std::size_t count = last - first;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < std::min(count, most); ++i) {
    chosen.push_back(first + i * count / std::min(count, most));
  }
  return chosen;
}

} // namespace

CoordinatesChart coordinates_chart(const SearchRecords& records, const Measure& measure) {
  const auto positions = by_rank(records, measure);
  auto parameters = parameter_levels(records, positions);
  std::erase_if(parameters, [](const auto& parameter) { return parameter.values.size() < 2; });
  const html::Axis values = value_axis(measure, positions);
  CoordinatesChart result;
  result.tenth = std::max<std::size_t>(1, positions.size() / 10);
  result.rest = positions.size() - result.tenth;
  auto& chart = result.chart;
  chart.description = "Parameter values of the best tenth of the configurations and of the rest";
  for (const auto& parameter : parameters) {
    chart.axes.push_back(axis_of(parameter));
  }
  chart.axes.push_back({.title = values.title, .ticks = {}});
  for (const double tick : values.ticks) {
    chart.axes.back().ticks.push_back({values.fraction(tick), html::tick_label(tick)});
  }
  const auto add = [&](std::size_t rank, html::Weight weight) {
    const auto& e = records.evaluations[positions[rank]];
    html::ParallelLine line{.positions = {}, .weight = weight, .label = {}};
    for (const auto& parameter : parameters) {
      line.positions.push_back(position_of(parameter.level[rank], parameter.values.size()));
    }
    line.positions.push_back(values.fraction(measure.values[positions[rank]]));
    line.label = fmt::format("candidate {}: {}", e.id, measure.text(positions[rank]));
    chart.lines.push_back(std::move(line));
  };
  add(0, html::Weight::strong);
  for (const std::size_t rank : evenly(1, result.tenth, kMostLines)) {
    add(rank, html::Weight::plain);
  }
  for (const std::size_t rank : evenly(result.tenth, positions.size(), kMostLines)) {
    add(rank, html::Weight::quiet);
  }
  chart.strong = "the best";
  if (result.tenth > 1) {
    chart.plain = fmt::format("the best tenth ({})", with_thousands(result.tenth));
  }
  chart.quiet = fmt::format("the rest ({})", with_thousands(result.rest));
  return result;
}

std::string coordinates_section(const SearchRecords& records, const Measure& measure) {
  if (measured(records).size() < 2) {
    return html::paragraph("It takes two different configurations that ran to compare them.");
  }
  const auto [chart, tenth, rest] = coordinates_chart(records, measure);
  std::string out =
      html::paragraph("Each configuration is one line; it crosses each axis at the value that it "
                      "has. Where the strong lines meet in one value and the faint ones do not, "
                      "that value is what the good ones share.") +
      html::to_html(chart);
  if (tenth > kMostLines + 1 || rest > kMostLines) {
    out += html::remark(fmt::format(
        "To keep this page small, {} lines are drawn of each group, evenly spaced by rank.",
        kMostLines));
  }
  return out;
}

} // namespace coulomb::search
