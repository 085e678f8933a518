// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::results {

/// A comma-separated table with a header line; every value is text.
struct CsvTable {
  std::string path;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows; ///< [rows][columns]
  std::vector<std::size_t> lines;             ///< [rows] line of the (uncompressed) file, 1-based

  /// Index of the column, or nothing.
  [[nodiscard]] std::optional<std::size_t> find_column(const std::string& name) const;
  /// "PATH:LINE" of a row, for messages.
  [[nodiscard]] std::string where(std::size_t row) const;
};

/// Reads a CSV file, gzip-compressed or plain. Quoted values, doubled quotes and CRLF as in RFC
/// 4180; blank lines are skipped. Throws UserError: unreadable or damaged file, no header, doubled
/// column, a row whose number of values is not the header's, an open quote.
[[nodiscard]] CsvTable read_csv(const std::string& path);
/// The same from text; `path` is for messages.
[[nodiscard]] CsvTable parse_csv(const std::string& text, const std::string& path);
/// Contents of a gzip-compressed or plain file. Throws UserError, also for a file that was cut off.
[[nodiscard]] std::string read_gzip(const std::string& path);

} // namespace coulomb::results
