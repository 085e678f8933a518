// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/search_quality/recorded_space.hpp"

#include "base/results/csv.hpp"
#include "base/results/silicon_table.hpp"
#include "search/space/value_order.hpp"

#include <algorithm>

namespace coulomb::bench {
namespace {

/// An assumption: the tables do not say what a failure took.
constexpr double kFailureSeconds = 0.5;

/// [data rows] seconds of the compilation and of all launches, as recorded; kFailureSeconds where
/// it did not run.
std::vector<double> seconds_of(const results::CsvTable& table) {
  const auto compile = table.find_column("compile_time_raw").value();
  const auto launches = table.find_column("n").value();
  const auto mean = table.find_column("mean_ms").value();
  const auto status = table.find_column("status").value();
  std::vector<double> seconds;
  for (const auto& row : table.rows) {
    seconds.push_back(
        row[status] != "ok"
            ? kFailureSeconds
            : 1e-3 * (std::stod(row[compile]) + std::stod(row[launches]) * std::stod(row[mean])));
  }
  return seconds;
}

results::SiliconTable load_means(const std::string& csv) {
  auto metadata = results::load_silicon_metadata(results::metadata_path(csv));
  metadata.time_column = "mean_ms";
  return results::SiliconTable::load(csv, std::move(metadata));
}

std::vector<search::Dimension> dimensions_of(const results::SiliconTable& table) {
  std::vector<search::Dimension> dimensions;
  const auto& entries = table.rows.front().parameters.entries();
  for (std::size_t d = 0; d < entries.size(); ++d) {
    std::vector<kernel::ParameterValue> values;
    for (const auto& row : table.rows) {
      const auto& value = row.parameters.entries()[d].second;
      if (std::find(values.begin(), values.end(), value) == values.end()) {
        values.push_back(value);
      }
    }
    search::Dimension dimension;
    dimension.name = entries[d].first;
    dimension.values = search::ordered_values(std::move(values));
    dimensions.push_back(std::move(dimension));
  }
  return dimensions;
}

} // namespace

RecordedSpace load_recorded_space(const std::string& name) {
  const std::string csv = std::string(COULOMB_SOURCE_DIR) + "/data/silicon/" + name + ".csv.gz";
  const auto table = load_means(csv);
  const auto seconds = seconds_of(results::read_csv(csv));
  auto dimensions = dimensions_of(table);
  std::vector<search::Genes> valid;
  for (const auto& row : table.rows) {
    search::Genes genes;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      const auto& values = dimensions[d].values;
      const auto at = std::find(values.begin(), values.end(), row.parameters.entries()[d].second);
      genes.push_back(static_cast<search::Gene>(at - values.begin()));
    }
    valid.push_back(std::move(genes));
  }
  RecordedSpace recorded{name, search::SearchSpace(std::move(dimensions), valid), {}, {}, {}};
  recorded.fitness.resize(table.rows.size());
  recorded.seconds.resize(table.rows.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto& row = table.rows[i];
    const auto point = recorded.space.find(valid[i]).value();
    recorded.fitness[point] = {row.status, row.time_ms.value_or(0.0)};
    recorded.seconds[point] = seconds[row.row];
    if (row.time_ms) {
      recorded.valid.push_back(*row.time_ms);
    }
  }
  std::sort(recorded.valid.begin(), recorded.valid.end());
  return recorded;
}

} // namespace coulomb::bench
