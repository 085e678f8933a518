// SPDX-License-Identifier: Apache-2.0
#include "base/results/html/table.hpp"

#include "base/error.hpp"
#include "base/results/html/text.hpp"

#include <fmt/format.h>

namespace coulomb::html {
namespace {

constexpr std::size_t kLineColumns = 200;
constexpr std::size_t kWholeBytes = 4000;

std::string_view number_class(const Column& column) {
  return column.number ? " class=\"number\"" : "";
}

std::string head(const Table& table) {
  std::string out = "<thead><tr>";
  for (const Column& column : table.columns) {
    out += fmt::format("<th scope=\"col\"{}>{}{}</th>", number_class(column), escape(column.title),
                       column.unit.empty() ? ""
                                           : fmt::format("<small>{}</small>", escape(column.unit)));
  }
  return out + "</tr></thead>\n";
}

} // namespace

Cell text_cell(std::string_view text) {
  return {.html = escape(text), .value = {}};
}

Cell number_cell(double value, std::string_view text) {
  return {.html = escape(text), .value = value};
}

Cell long_text_cell(std::string_view text) {
  const std::string_view first_line = text.substr(0, text.find('\n'));
  const std::string shown = shorten(first_line, kLineColumns);
  if (shown == text) {
    return text_cell(text);
  }
  const bool cut = text.size() > kWholeBytes;
  return {.html =
              fmt::format("<details><summary>{}</summary><pre>{}{}</pre></details>", escape(shown),
                          escape(text.substr(0, kWholeBytes)),
                          cut ? fmt::format("\n... {} bytes more", text.size() - kWholeBytes) : ""),
          .value = {}};
}

std::string to_html(const Table& table) {
  std::string out = fmt::format("<div{}><table{}>\n", table.sortable ? " class=\"scroll\"" : "",
                                table.sortable ? " class=\"sortable\"" : "");
  out += head(table) + "<tbody>\n";
  for (const auto& row : table.rows) {
    COULOMB_CHECK(row.size() == table.columns.size(), "a row of {} cells in a table of {} columns",
                  row.size(), table.columns.size());
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += fmt::format("<td{}{}>{}</td>", number_class(table.columns[i]),
                         row[i].value ? fmt::format(" data-v=\"{}\"", *row[i].value) : "",
                         row[i].html);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

} // namespace coulomb::html
