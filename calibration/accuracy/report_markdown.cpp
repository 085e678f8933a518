// SPDX-License-Identifier: Apache-2.0
#include "calibration/accuracy/figure_columns.hpp"

#include <fmt/ranges.h>

namespace coulomb::calibration {
namespace {

/// A bar in a cell would end it.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c == '|' ? std::string("\\|") : std::string(1, c);
  }
  return out;
}

template <class Row>
std::string table(const std::vector<Row>& rows, std::span<const FigureColumn<Row>> columns) {
  std::string head = "|";
  std::string rule = "|";
  for (const auto& column : columns) {
    head += fmt::format(" {} |", column.title);
    rule += column.number ? " ---: |" : " --- |";
  }
  std::string out = head + '\n' + rule + '\n';
  for (const Row& row : rows) {
    out += '|';
    for (const auto& column : columns) {
      out += fmt::format(" {} |", escaped(column.text(row)));
    }
    out += '\n';
  }
  return out + '\n';
}

} // namespace

std::string transfers_markdown(const std::vector<Transfer>& transfers) {
  return fmt::format("## Ratio of two boards\n\n{}\n\n{}## Times of a second board\n\n{}\n\n{}",
                     kRatioExplained, table(ratio_rows(transfers), ratio_columns()),
                     kTransferredExplained,
                     table(transferred_rows(transfers), transferred_columns()));
}

std::string to_markdown(const AccuracyReport& report) {
  std::string out = fmt::format(
      "# Accuracy against recorded silicon\n\n{}. Made by `{}`; observations: {}.\n\n{}\n\n",
      report.date, report.command, fmt::join(report.inputs, ", "), kFiguresExplained);
  for (const AccuracyTable& t : report.tables) {
    const SubjectText& subject = text_of(t.subject);
    out += fmt::format("## {}\n\nCalibration: {}. {}\n\n{}", subject.title, subject.seen,
                       subject.about, table(t.rows, accuracy_columns()));
  }
  if (!report.transfers.empty()) {
    out += transfers_markdown(report.transfers);
  }
  out.pop_back(); // the blank line after the last table
  return out;
}

} // namespace coulomb::calibration
