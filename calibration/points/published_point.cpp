// SPDX-License-Identifier: Apache-2.0
#include "calibration/points/published_point.hpp"

#include "base/error.hpp"
#include "base/results/csv.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/ranges.h>
#include <map>
#include <optional>
#include <utility>

namespace coulomb::calibration::points {
namespace {

constexpr std::array<const char*, 6> kColumns{"chip", "name",      "value",
                                              "unit", "tolerance", "source"};

std::array<std::size_t, kColumns.size()> find_columns(const results::CsvTable& table) {
  std::array<std::size_t, kColumns.size()> found{};
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    const auto column = table.find_column(kColumns[i]);
    if (!column) {
      throw UserError(fmt::format("{}:1: no column \"{}\"; found: {}; needed: {}", table.path,
                                  kColumns[i], fmt::join(table.columns, ", "),
                                  fmt::join(kColumns, ", ")));
    }
    found[i] = *column;
  }
  return found;
}

/// The number that `text` begins with and the characters it takes up.
std::optional<std::pair<double, std::size_t>> leading_number(std::string_view text) {
  double value = 0.0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc()) {
    return std::nullopt;
  }
  return std::pair{value, static_cast<std::size_t>(end.ptr - text.data())};
}

} // namespace

std::vector<double> published_numbers(const std::string& text) {
  std::vector<double> numbers;
  std::string_view rest = text;
  while (!rest.empty()) {
    // A sign is none: "20.9-23.4" is a range and "->" an arrow; no published figure is negative.
    const auto number = rest.front() == '-' ? std::nullopt : leading_number(rest);
    if (number) {
      numbers.push_back(number->first);
    }
    rest.remove_prefix(number ? number->second : 1);
  }
  return numbers;
}

std::vector<Band> bands(const std::vector<double>& values, const std::string& tolerance) {
  const bool up = tolerance.starts_with('+');
  const bool down = tolerance.starts_with('-');
  std::string_view rest = tolerance;
  rest.remove_prefix(up || down ? 1 : 0);
  const auto number = leading_number(rest);
  if (!number) {
    return {};
  }
  rest.remove_prefix(number->second);
  const bool relative = rest.starts_with('%');
  std::vector<Band> result;
  for (const double v : values) {
    const double width = relative ? v * number->first / 100.0 : number->first;
    result.push_back({up ? v : v - width, down ? v : v + width});
  }
  return result;
}

std::vector<PublishedPoint> read_points(const std::string& path) {
  const results::CsvTable table = results::read_csv(path);
  const auto columns = find_columns(table);
  std::vector<PublishedPoint> points;
  std::map<std::pair<std::string, std::string>, std::size_t> seen;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto& row = table.rows[r];
    PublishedPoint p{row[columns[0]], row[columns[1]], row[columns[2]], row[columns[3]],
                     row[columns[4]], row[columns[5]], table.lines[r],  {}};
    const auto numbers = published_numbers(p.published);
    if (numbers.empty()) {
      throw UserError(fmt::format("{}: value is \"{}\", in which there is no number",
                                  table.where(r), p.published),
                      "write a number, or several: \"46 / 62\"");
    }
    const auto [first, is_new] = seen.try_emplace({p.chip, p.name}, p.line);
    if (!is_new) {
      throw UserError(fmt::format("{}: point \"{}\" of {} is already in line {}", table.where(r),
                                  p.name, p.chip, first->second));
    }
    p.bands = bands(numbers, p.tolerance);
    points.push_back(std::move(p));
  }
  return points;
}

} // namespace coulomb::calibration::points
