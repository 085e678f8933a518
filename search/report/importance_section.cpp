// SPDX-License-Identifier: Apache-2.0
#include "search/report/importance_section.hpp"

#include "base/results/html/bar_chart.hpp"
#include "base/results/html/elements.hpp"
#include "base/text.hpp"

#include <fmt/ranges.h>

namespace coulomb::search {
namespace {

html::BarChart chart_of(const Importance& importance) {
  html::BarChart chart{
      .description = fmt::format("Share of the variance of {} by parameter", importance.quantity),
      .title = fmt::format("share of the variance of {} [%]", importance.quantity),
      .bars = {}};
  for (const auto& parameter : importance.parameters) {
    chart.bars.push_back(
        {.name = parameter.name,
         .value = parameter.share,
         .note = fmt::format("{:.1f} %, {} values{}", 100.0 * parameter.share, parameter.values,
                             parameter.beyond_chance ? "" : ", may be chance"),
         .faint = !parameter.beyond_chance});
  }
  return chart;
}

std::string constant_sentence(const Importance& importance) {
  return importance.constant.empty()
             ? ""
             : html::remark(fmt::format("Not shown, because all that ran had the same value: {}.",
                                        fmt::join(importance.constant, ", ")));
}

} // namespace

std::string importance_section(const Importance& importance) {
  if (importance.evaluations < kImportanceMinimum) {
    return html::paragraph(
        fmt::format("Too few evaluations to tell: {} different configurations ran, and below {} "
                    "the differences are as likely chance.",
                    importance.evaluations, kImportanceMinimum));
  }
  if (importance.parameters.empty()) {
    return html::paragraph("No parameter was varied.");
  }
  if (!importance.values_differ) {
    return html::paragraph("All configurations that ran came out the same: no parameter matters.");
  }
  return html::paragraph(fmt::format(
             "How much of the differences in {} goes away once one parameter's value is "
             "known, less what would go away by chance; over the {} different configurations that "
             "ran.",
             importance.quantity, with_thousands(importance.evaluations))) +
         html::to_html(chart_of(importance)) +
         html::remark(
             "An outline instead of a bar: one of 99 random reassignments of the values gave as "
             "much, so it may be chance. Parameters that matter only together show less than they "
             "do. The search looks at good regions more often than at bad ones: the shares "
             "describe what it evaluated, not the whole space, and need not sum to 100 %.") +
         constant_sentence(importance);
}

} // namespace coulomb::search
