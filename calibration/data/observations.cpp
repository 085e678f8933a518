// SPDX-License-Identifier: Apache-2.0
#include "calibration/data/observations.hpp"

#include "base/error.hpp"
#include "base/eval/features.hpp"
#include "base/results/csv.hpp"
#include "base/results/silicon_samples.hpp"
#include "base/text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

namespace coulomb::calibration {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::array kColumns = {"board",      "spec",          "row",   "parameters",
                                 "silicon_ms", "silicon_noise", "sim_ms"};
enum Column { kBoard, kSpec, kRow, kParameters, kSiliconMs, kSiliconNoise, kSimMs };

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    out += c == '"' ? "\"\"" : std::string(1, c);
  }
  return out + '"';
}

std::string json_text(const kernel::Configuration& configuration) {
  Json object = Json::object();
  for (const auto& [name, value] : configuration.entries()) {
    object[name] = Json(kernel::to_json(value));
  }
  return object.dump();
}

/// Relative standard error of what single launches after the first one tell of their centre.
double relative_noise(const std::vector<double>& launches) {
  const auto n = static_cast<double>(launches.size()) - 1.0;
  if (n < 2.0) {
    return 0.0;
  }
  const double mean = std::accumulate(launches.begin() + 1, launches.end(), 0.0) / n;
  double squares = 0.0;
  for (auto t = launches.begin() + 1; t != launches.end(); ++t) {
    squares += (*t - mean) * (*t - mean);
  }
  return std::sqrt(squares / (n - 1.0) / n) / mean;
}

std::optional<kernel::ParameterValue> parameter_value(const Json& value) {
  if (value.is_boolean()) {
    return value.get<bool>();
  }
  if (value.is_number_integer()) {
    return value.get<std::int64_t>();
  }
  if (value.is_number()) {
    return value.get<double>();
  }
  if (value.is_string()) {
    return value.get<std::string>();
  }
  return std::nullopt;
}

class Reader {
public:
  explicit Reader(const std::string& path) : table_(results::read_csv(path)) {
    for (std::size_t c = 0; c < kColumns.size(); ++c) {
      const auto at = table_.find_column(kColumns[c]);
      if (!at) {
        throw UserError(fmt::format("{}: there is no column \"{}\"", path, kColumns[c]),
                        fmt::format("observations have the columns {}, then features",
                                    fmt::join(kColumns, ", ")));
      }
      columns_[c] = *at;
    }
    for (const eval::Feature& feature : eval::feature_table()) {
      features_.push_back(table_.find_column(std::string(feature.name)));
    }
  }

  [[nodiscard]] std::vector<Observation> read() const {
    std::vector<Observation> all;
    for (std::size_t r = 0; r < table_.rows.size(); ++r) {
      all.push_back(row(r));
    }
    return all;
  }

private:
  [[nodiscard]] const std::string& text(std::size_t row, Column column) const {
    return table_.rows[row][columns_[column]];
  }

  [[nodiscard]] double
  number(std::size_t row, std::size_t column, bool positive = false, bool whole = false) const {
    const std::string& value = table_.rows[row][column];
    double x = 0.0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), x);
    const bool read =
        error == std::errc() && end == value.data() + value.size() && std::isfinite(x);
    if (!read || (positive && !(x > 0.0)) || (whole && (x < 0.0 || x != std::floor(x)))) {
      throw UserError(fmt::format("{}: {} is \"{}\"; allowed: {}", table_.where(row),
                                  table_.columns[column], value,
                                  positive ? "a number above 0"
                                  : whole  ? "a whole number from 0"
                                           : "a finite number"));
    }
    return x;
  }

  [[nodiscard]] kernel::Configuration parameters(std::size_t row) const {
    const Json object = Json::parse(text(row, kParameters), nullptr, false);
    std::vector<kernel::Configuration::Entry> entries;
    bool read = object.is_object();
    if (read) {
      for (const auto& [name, value] : object.items()) {
        if (auto parameter = parameter_value(value)) {
          entries.emplace_back(name, *std::move(parameter));
        } else {
          read = false;
        }
      }
    }
    if (!read) {
      throw UserError(fmt::format("{}: parameters are {}; allowed: a JSON object of numbers, "
                                  "truth values and texts",
                                  table_.where(row), text(row, kParameters)));
    }
    return kernel::Configuration(std::move(entries));
  }

  [[nodiscard]] Observation row(std::size_t r) const {
    Observation o;
    o.board = text(r, kBoard);
    o.spec = text(r, kSpec);
    o.row = static_cast<std::size_t>(number(r, columns_[kRow], false, true));
    o.parameters = parameters(r);
    o.silicon_ms = number(r, columns_[kSiliconMs], true);
    o.silicon_noise = number(r, columns_[kSiliconNoise]);
    o.sim_ms = number(r, columns_[kSimMs], true);
    for (const auto& column : features_) {
      o.features.push_back(column && !table_.rows[r][*column].empty()
                               ? number(r, *column)
                               : std::numeric_limits<double>::quiet_NaN());
    }
    return o;
  }

  results::CsvTable table_;
  std::array<std::size_t, kColumns.size()> columns_{};
  std::vector<std::optional<std::size_t>> features_; ///< by eval::feature_table()
};

} // namespace

std::vector<Observation> observations_of(const ValidationReport& report,
                                         const results::SiliconTable& table) {
  const auto samples = results::load_silicon_samples(table.metadata);
  std::vector<Observation> observations;
  for (const ComparedRow& row : report.rows) {
    if (!row.silicon_ms || !row.sim_ms) {
      continue;
    }
    const auto launches = samples.find(row.row);
    observations.push_back({report.subject.gpu, report.subject.spec, row.row, row.parameters,
                            *row.silicon_ms,
                            launches == samples.end() ? 0.0 : relative_noise(launches->second),
                            *row.sim_ms, row.features});
  }
  return observations;
}

double Observation::log_ratio() const {
  return std::log(silicon_ms / sim_ms);
}

std::string to_csv(const std::vector<Observation>& observations) {
  std::string out = fmt::format("{}", fmt::join(kColumns, ","));
  for (const eval::Feature& feature : eval::feature_table()) {
    out += fmt::format(",{}", feature.name);
  }
  out += '\n';
  for (const Observation& o : observations) {
    out += fmt::format("{},{},{},{},{},{},{}", o.board, o.spec, o.row,
                       quoted(json_text(o.parameters)), o.silicon_ms, o.silicon_noise, o.sim_ms);
    for (const double value : o.features) {
      out += ',' + (std::isfinite(value) ? fmt::to_string(value) : std::string());
    }
    out += '\n';
  }
  return out;
}

std::vector<Observation> load_observations(const std::string& path) {
  return Reader(path).read();
}

} // namespace coulomb::calibration
