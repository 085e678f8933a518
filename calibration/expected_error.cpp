// SPDX-License-Identifier: Apache-2.0
#include "calibration/expected_error.hpp"

#include "base/error.hpp"
#include "base/results/csv.hpp"
#include "base/text.hpp"
#include "calibration/statistics.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/ranges.h>

namespace coulomb::calibration {
namespace {

constexpr std::array<const char*, 6> kColumns = {"spec",    "gpu",          "architecture",
                                                 "limiter", "local_memory", "error"};
enum Column { kSpec, kGpu, kArchitecture, kLimiter, kLocalMemory, kError };

template <class T>
T number(const std::string& text, const std::string& where, const char* column) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, ec] = std::from_chars(text.data(), end, value);
  if (text.empty() || ec != std::errc{} || stop != end) {
    throw UserError(fmt::format("{}: {} is \"{}\", which is not a number", where, column, text),
                    "scripts/measure_accuracy.py writes this file");
  }
  return value;
}

} // namespace

std::string ExpectedError::note() const {
  if (gpu_changed) {
    return "a GPU changed with --set has no board to be measured on";
  }
  if (measured == 0) {
    return fmt::format("no measured kernel of this character ({})", character.text());
  }
  std::vector<std::string> names;
  for (const auto& [name, count] : sources) {
    names.push_back(name);
  }
  return fmt::format("{:.1f} % at the 90th percentile; {} measured configurations of {} ({}{})",
                     100.0 * p90.value_or(0.0), measured, fmt::join(names, ", "), character.text(),
                     same_architecture ? "" : ", of another architecture too");
}

ErrorTable ErrorTable::load(const std::string& path) {
  if (!std::filesystem::exists(path)) {
    return {};
  }
  const results::CsvTable csv = results::read_csv(path);
  std::array<std::size_t, kColumns.size()> at{};
  for (std::size_t c = 0; c < kColumns.size(); ++c) {
    const auto found = csv.find_column(kColumns[c]);
    if (!found) {
      throw UserError(fmt::format("{}:1: no column \"{}\"{}", path, kColumns[c],
                                  did_you_mean(kColumns[c], csv.columns)),
                      "scripts/measure_accuracy.py writes this file");
    }
    at[c] = *found;
  }
  std::vector<MeasuredError> rows;
  for (std::size_t i = 0; i < csv.rows.size(); ++i) {
    const auto text = [&](Column c) -> const std::string& { return csv.rows[i][at[c]]; };
    const std::string where = csv.where(i);
    MeasuredError row{.spec = text(kSpec),
                      .gpu = text(kGpu),
                      .architecture =
                          number<std::uint32_t>(text(kArchitecture), where, "architecture"),
                      .limiter = text(kLimiter),
                      .local_memory = number<int>(text(kLocalMemory), where, "local_memory") != 0,
                      .error = number<double>(text(kError), where, "error")};
    rows.push_back(std::move(row));
  }
  return ErrorTable(std::move(rows));
}

ExpectedError ErrorTable::expect(const eval::Character& character,
                                 std::uint32_t architecture) const {
  ExpectedError expected;
  expected.character = character;
  for (const bool same : {true, false}) {
    std::vector<double> errors;
    std::map<std::string, std::size_t> sources;
    for (const MeasuredError& row : rows_) {
      if (row.limiter == character.limiter && row.local_memory == character.local_memory &&
          (!same || row.architecture == architecture)) {
        errors.push_back(std::fabs(row.error));
        ++sources[fmt::format("{} on {}", row.spec, row.gpu)];
      }
    }
    if (errors.size() >= kFewestMeasured) {
      expected.measured = errors.size();
      expected.median = quantile(errors, 0.5);
      expected.p90 = quantile(errors, 0.9);
      expected.same_architecture = same;
      expected.sources = std::move(sources);
      return expected;
    }
  }
  return expected;
}

} // namespace coulomb::calibration
