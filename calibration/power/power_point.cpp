// SPDX-License-Identifier: Apache-2.0
#include "calibration/power/power_point.hpp"

#include "base/error.hpp"
#include "base/results/csv.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/ranges.h>

namespace coulomb::calibration::power {
namespace {

class Reader {
public:
  explicit Reader(const std::string& path) : table_(results::read_csv(path)) {}

  [[nodiscard]] std::size_t rows() const { return table_.rows.size(); }
  void at(std::size_t row) { row_ = row; }

  [[nodiscard]] std::string text(const char* column) const {
    const auto index = table_.find_column(column);
    if (!index) {
      throw UserError(fmt::format("{}: there is no column \"{}\"", table_.path, column));
    }
    return table_.rows[row_][*index];
  }
  [[nodiscard]] std::optional<double> number(const char* column) const {
    const std::string cell = text(column);
    if (cell.empty()) {
      return std::nullopt;
    }
    double value = 0.0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || end != cell.data() + cell.size()) {
      fail(fmt::format("{} is \"{}\", not a number", column, cell));
    }
    return value;
  }
  [[nodiscard]] double needed(const char* column) const {
    const auto value = number(column);
    if (!value) {
      fail(fmt::format("{} is missing", column));
    }
    return *value;
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw UserError(fmt::format("{}: {}", table_.where(row_), why));
  }

private:
  results::CsvTable table_;
  std::size_t row_ = 0;
};

PowerPoint read_point(const Reader& reader) {
  PowerPoint point;
  point.id = reader.text("id");
  point.group = reader.text("group");
  if (std::find(kPointGroups.begin(), kPointGroups.end(), point.group) == kPointGroups.end()) {
    reader.fail(
        fmt::format("group \"{}\" is not one of: {}", point.group, fmt::join(kPointGroups, ", ")));
  }
  const std::string role = reader.text("role");
  if (role != "fit" && role != "check") {
    reader.fail(fmt::format("role \"{}\" is not one of: fit, check", role));
  }
  point.fitted = role == "fit";
  point.gpu = reader.text("gpu");
  point.what = reader.text("case");
  point.spec = reader.text("spec");
  point.sm_clock_mhz = reader.number("sm_clock_mhz").value_or(0.0);
  point.limit_w = reader.number("limit_w");
  point.value = reader.needed("value");
  point.tolerance = reader.needed("tolerance");
  point.unit = reader.text("unit");
  point.application = reader.text("application");
  point.work_rate = reader.number("work_rate");
  point.source = reader.text("source");
  point.confidence = reader.text("confidence");
  if (point.gpu.empty() != (point.group == "not_runnable")) {
    reader.fail("a point has a GPU unless it is not_runnable");
  }
  return point;
}

} // namespace

std::vector<PowerPoint> read_power_points(const std::string& path) {
  Reader reader(path);
  std::vector<PowerPoint> points;
  for (std::size_t row = 0; row < reader.rows(); ++row) {
    reader.at(row);
    points.push_back(read_point(reader));
  }
  return points;
}

} // namespace coulomb::calibration::power
