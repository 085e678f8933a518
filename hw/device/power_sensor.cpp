// SPDX-License-Identifier: Apache-2.0
#include "hw/device/power_sensor.hpp"

#include "base/error.hpp"
#include "base/results/csv.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace coulomb::hw {
namespace {

std::size_t column(const results::CsvTable& csv, const char* name) {
  const auto index = csv.find_column(name);
  if (!index) {
    throw UserError(fmt::format("{}:1: no column \"{}\"", csv.path, name));
  }
  return *index;
}

double number_or_zero(const std::string& text) {
  double value = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

} // namespace

double power_window_ms(const std::string& table, const std::string& board) {
  const results::CsvTable csv = results::read_csv(table);
  const std::size_t gpu = column(csv, "gpu");
  const std::size_t field = column(csv, "field");
  const std::size_t window = column(csv, "avg_window_ms");
  const std::size_t rise = column(csv, "rise_ms");
  double slowest = 0.0;
  double own = 0.0;
  for (const auto& row : csv.rows) {
    const double ms = std::max(number_or_zero(row[window]), number_or_zero(row[rise]));
    slowest = std::max(slowest, ms);
    // NVML's plain reading is nvidia-smi's power.draw; the instantaneous one is another call.
    if (board.ends_with(row[gpu]) && row[field].starts_with("power.draw")) {
      own = std::max(own, ms);
    }
  }
  return own > 0.0 ? own : slowest;
}

} // namespace coulomb::hw
