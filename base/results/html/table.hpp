// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::html {

struct Column {
  std::string title;
  std::string unit;    ///< small, below the title; may be empty
  bool number = false; ///< set to the right
};

/// One cell; make it with the functions below.
struct Cell {
  std::string html;
  std::optional<double> value; ///< what a reader's sorting goes by, if it is not the text
};

[[nodiscard]] Cell text_cell(std::string_view text);
/// `text` is `value` as it is shown.
[[nodiscard]] Cell number_cell(double value, std::string_view text);
/// The first line of `text`, at most 200 columns of it. If that is not all, the rest folds out: up
/// to 4,000 bytes, so that no compiler's log fills the page.
[[nodiscard]] Cell long_text_cell(std::string_view text);

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows; ///< as many cells each as there are columns
  bool sortable = false; ///< by the reader; its cells then stay on one line and the frame scrolls
};

[[nodiscard]] std::string to_html(const Table& table);

} // namespace coulomb::html
