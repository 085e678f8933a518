// SPDX-License-Identifier: Apache-2.0
#include "base/results/html/elements.hpp"
#include "base/results/html/page.hpp"
#include "base/results/html/table.hpp"
#include "calibration/accuracy/figure_columns.hpp"
#include "calibration/accuracy/scatter.hpp"

#include <fmt/ranges.h>

namespace coulomb::calibration {
namespace {

template <class Row>
std::string table(const std::vector<Row>& rows, std::span<const FigureColumn<Row>> columns) {
  html::Table out;
  out.sortable = true;
  for (const auto& column : columns) {
    out.columns.push_back({std::string(column.title), {}, column.number});
  }
  for (const Row& row : rows) {
    auto& cells = out.rows.emplace_back();
    for (const auto& column : columns) {
      cells.push_back(html::text_cell(column.text(row)));
    }
  }
  return html::to_html(out);
}

} // namespace

std::string to_html(const AccuracyReport& report) {
  html::Page page("Accuracy against recorded silicon");
  html::Facts facts = {{"date", report.date},
                       {"observations", fmt::format("{}", fmt::join(report.inputs, ", "))},
                       {"stored model", report.stored_model}};
  page.add(html::facts(facts) + html::code_block(report.command) + html::remark(kFiguresExplained));
  for (const AccuracyTable& t : report.tables) {
    const SubjectText& subject = text_of(t.subject);
    page.section(subject.title,
                 html::paragraph(fmt::format("Calibration: {}. {}", subject.seen, subject.about)) +
                     table(t.rows, accuracy_columns()));
  }
  for (const AccuracyScatter& s : report.scatters) {
    page.section(fmt::format("Simulated against silicon: {} on {}", s.spec, s.board), chart_of(s));
  }
  if (!report.transfers.empty()) {
    page.section("Ratio of two boards", html::remark(kRatioExplained) +
                                            table(ratio_rows(report.transfers), ratio_columns()));
    page.section("Times of a second board",
                 html::remark(kTransferredExplained) +
                     table(transferred_rows(report.transfers), transferred_columns()));
  }
  return page.text();
}

} // namespace coulomb::calibration
