// SPDX-License-Identifier: Apache-2.0
#include "base/results/csv.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <zlib.h>

namespace coulomb::results {
namespace {

/// Splits text into records of values; knows the line that each record starts at.
class Scanner {
public:
  Scanner(const std::string& text, const std::string& path) : text_(text), path_(path) {}

  /// False at the end of the text.
  bool next(std::vector<std::string>& values, std::size_t& line) {
    values.clear();
    if (position_ >= text_.size()) {
      return false;
    }
    line = line_;
    values.emplace_back();
    while (position_ < text_.size()) {
      const char c = text_[position_++];
      if (c == '"' && values.back().empty()) {
        quoted(values.back(), line);
      } else if (c == ',') {
        values.emplace_back();
      } else if (c == '\n') {
        ++line_;
        break;
      } else if (c != '\r' || (position_ < text_.size() && text_[position_] != '\n')) {
        values.back() += c;
      }
    }
    return true;
  }

private:
  void quoted(std::string& value, std::size_t first_line) {
    while (position_ < text_.size()) {
      const char c = text_[position_++];
      if (c != '"') {
        line_ += c == '\n' ? 1 : 0;
        value += c;
      } else if (position_ < text_.size() && text_[position_] == '"') {
        value += '"';
        ++position_;
      } else {
        return;
      }
    }
    throw UserError(fmt::format("{}:{}: a quoted value is not closed", path_, first_line),
                    "close it with a double quote");
  }

  const std::string& text_;
  const std::string& path_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
};

bool is_blank(const std::vector<std::string>& values) {
  return values.size() == 1 && values[0].empty();
}

void check_header(const CsvTable& table) {
  if (table.columns.empty()) {
    throw UserError(fmt::format("{}: the table is empty, it has no header line", table.path),
                    "the first line must name the columns");
  }
  std::set<std::string> seen;
  for (const auto& c : table.columns) {
    if (!seen.insert(c).second) {
      throw UserError(fmt::format("{}:1: column \"{}\" occurs twice in the header", table.path, c),
                      "give every column a name of its own");
    }
  }
}

} // namespace

std::optional<std::size_t> CsvTable::find_column(const std::string& name) const {
  const auto it = std::find(columns.begin(), columns.end(), name);
  if (it == columns.end()) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(it - columns.begin());
}

std::string CsvTable::where(std::size_t row) const {
  return fmt::format("{}:{}", path, lines.at(row));
}

CsvTable parse_csv(const std::string& text, const std::string& path) {
  CsvTable table;
  table.path = path;
  Scanner scanner(text, path);
  std::vector<std::string> values;
  std::size_t line = 0;
  while (scanner.next(values, line)) {
    if (is_blank(values)) {
      continue;
    }
    if (table.columns.empty()) {
      table.columns = values;
      check_header(table);
      continue;
    }
    if (values.size() != table.columns.size()) {
      throw UserError(fmt::format("{}:{}: {} values, but the header names {} columns", path, line,
                                  values.size(), table.columns.size()),
                      "every row needs one value per column; an absent value is left empty");
    }
    table.rows.push_back(values);
    table.lines.push_back(line);
  }
  check_header(table);
  return table;
}

std::string read_gzip(const std::string& path) {
  std::error_code ec;
  if (std::filesystem::is_directory(path, ec)) {
    throw UserError(fmt::format("cannot read {}: it is a directory", path));
  }
  errno = 0;
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(::gzopen(path.c_str(), "rb"), ::gzclose);
  if (!file) {
    throw UserError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  }
  std::string contents;
  std::vector<char> chunk(std::size_t{1} << 18);
  int got = 0;
  while ((got = ::gzread(file.get(), chunk.data(), static_cast<unsigned>(chunk.size()))) > 0) {
    contents.append(chunk.data(), static_cast<std::size_t>(got));
  }
  int code = Z_OK;
  const char* reason = ::gzerror(file.get(), &code);
  // A file that was cut off reads without an error up to its end, but zlib then holds Z_BUF_ERROR.
  if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) {
    throw UserError(fmt::format("cannot read {}: the compressed data are damaged or cut off ({})",
                                path, reason),
                    "fetch the file again and compare its SHA-256 with data/README.md");
  }
  return contents;
}

CsvTable read_csv(const std::string& path) {
  return parse_csv(read_gzip(path), path);
}

} // namespace coulomb::results
