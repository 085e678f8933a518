// SPDX-License-Identifier: Apache-2.0
#include "base/results/silicon_table.hpp"

#include "base/error.hpp"
#include "base/results/csv.hpp"
#include "base/results/measurement_file.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/ranges.h>

namespace coulomb::results {
namespace {

namespace fs = std::filesystem;
using kernel::ParameterValue;

std::size_t
column_index(const CsvTable& csv, const SiliconMetadata& meta, const std::string& name) {
  if (const auto index = csv.find_column(name)) {
    return *index;
  }
  throw UserError(fmt::format("{}:1: no column \"{}\", which {} names{}", csv.path, name, meta.path,
                              did_you_mean(name, csv.columns)),
                  fmt::format("columns: {}", fmt::join(csv.columns, ", ")));
}

/// The whole text as a number of type T, or nothing.
template <typename T>
std::optional<T> number(const std::string& text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, ec] = std::from_chars(text.data(), end, value);
  if (text.empty() || ec != std::errc{} || stop != end) {
    return std::nullopt;
  }
  return value;
}

ParameterValue
parameter_value(const std::string& text, const std::string& column, const std::string& where) {
  if (const auto i = number<std::int64_t>(text)) {
    return *i;
  }
  if (const auto d = number<double>(text); d && std::isfinite(*d)) {
    return *d;
  }
  throw UserError(fmt::format("{}: {} is \"{}\", which is not a number", where, column, text),
                  "parameter columns hold numbers; correct the row or drop the column from "
                  "kernel.parameters");
}

double time_value(const std::string& text, const std::string& column, const std::string& where) {
  const auto t = number<double>(text);
  if (!t) {
    throw UserError(
        fmt::format("{}: {} is \"{}\", which is not a number, but the row's status says "
                    "that it ran",
                    where, column, text),
        "a row that ran needs its time in milliseconds");
  }
  if (!(*t > 0.0) || !std::isfinite(*t)) {
    throw UserError(fmt::format("{}: {} is {}; a time must be above 0 ms", where, column, text));
  }
  return *t;
}

/// The recorded time without what it holds besides the kernel.
double kernel_time(double recorded_ms, const SiliconMetadata& meta, const std::string& where) {
  const double time_ms = recorded_ms - meta.launch_overhead_ms;
  if (!(time_ms > 0.0)) {
    throw UserError(
        fmt::format("{}: {} is {} ms, no more than the launch overhead of {} ms", where,
                    meta.time_column, recorded_ms, meta.launch_overhead_ms),
        fmt::format("drop the row, or correct time.launch_overhead_ms in {}", meta.path));
  }
  return time_ms;
}

/// Column numbers of what the metadata names.
struct Layout {
  std::vector<std::size_t> parameters;
  std::vector<std::size_t> filters;
  std::size_t time = 0;
  std::size_t status = 0;

  Layout(const CsvTable& csv, const SiliconMetadata& meta)
      : time(column_index(csv, meta, meta.time_column)),
        status(column_index(csv, meta, meta.status_column)) {
    for (const auto& name : meta.parameters) {
      parameters.push_back(column_index(csv, meta, name));
    }
    for (const auto& filter : meta.filters) {
      filters.push_back(column_index(csv, meta, filter.column));
    }
  }
};

eval::EvalStatus
status_value(const std::string& word, const SiliconMetadata& meta, const std::string& where) {
  const auto it = meta.statuses.find(word);
  if (it != meta.statuses.end()) {
    return it->second;
  }
  std::vector<std::string> known;
  for (const auto& [recorded, ours] : meta.statuses) {
    known.push_back(recorded);
  }
  throw UserError(fmt::format("{}: {} is \"{}\", which {} does not translate{}", where,
                              meta.status_column, word, meta.path, did_you_mean(word, known)),
                  fmt::format("status.words has: {}", fmt::join(known, ", ")));
}

std::string exclusion(const std::vector<std::string>& values,
                      const SiliconMetadata& meta,
                      const Layout& layout) {
  for (std::size_t f = 0; f < meta.filters.size(); ++f) {
    const auto& keep = meta.filters[f].keep;
    if (std::find(keep.begin(), keep.end(), values[layout.filters[f]]) == keep.end()) {
      return meta.filters[f].reason;
    }
  }
  return {};
}

SiliconRow read_row(const CsvTable& csv,
                    std::size_t index,
                    const SiliconMetadata& meta,
                    const Layout& layout) {
  const auto& values = csv.rows[index];
  const std::string where = csv.where(index);
  SiliconRow row;
  row.row = index;
  std::vector<kernel::Configuration::Entry> entries;
  entries.reserve(meta.parameters.size() + meta.defaults.size());
  for (std::size_t p = 0; p < meta.parameters.size(); ++p) {
    const std::string& name = meta.parameters[p];
    const std::string& text = values[layout.parameters[p]];
    const bool word = std::find(meta.texts.begin(), meta.texts.end(), name) != meta.texts.end();
    entries.emplace_back(name, word ? ParameterValue{text} : parameter_value(text, name, where));
  }
  entries.insert(entries.end(), meta.defaults.begin(), meta.defaults.end());
  row.parameters = kernel::Configuration(std::move(entries));
  row.status = status_value(values[layout.status], meta, where);
  if (!row.failed()) {
    row.time_ms =
        kernel_time(time_value(values[layout.time], meta.time_column, where), meta, where);
    row.exclusion = exclusion(values, meta, layout);
  }
  return row;
}

bool ends_with(const std::string& text, std::string_view tail) {
  return text.size() >= tail.size() &&
         std::string_view(text).substr(text.size() - tail.size()) == tail;
}

std::string without_csv(const std::string& path) {
  for (const std::string_view tail : {".csv.gz", ".csv"}) {
    if (ends_with(path, tail)) {
      return path.substr(0, path.size() - tail.size());
    }
  }
  return path;
}

std::vector<std::string> table_names(const std::string& silicon_dir) {
  std::vector<std::string> names;
  std::error_code ec;
  for (fs::recursive_directory_iterator it(silicon_dir, ec), end; !ec && it != end;
       it.increment(ec)) {
    const std::string file = it->path().string();
    if (ends_with(file, ".csv.gz") || ends_with(file, ".csv")) {
      names.push_back(fs::relative(without_csv(file), silicon_dir).string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// File and kernel of "measured.json" or "measured.json#convolution"; both empty for another name.
std::pair<std::string, std::string> measurement_name(const std::string& name) {
  const std::size_t mark = name.rfind('#');
  const std::string file = name.substr(0, mark);
  if (fs::path(file).extension() != ".json") {
    return {};
  }
  return {file, mark == std::string::npos ? std::string{} : name.substr(mark + 1)};
}

} // namespace

SiliconTable SiliconTable::load(const std::string& csv_path) {
  if (const auto [file, spec] = measurement_name(csv_path); !file.empty()) {
    return MeasurementFile::load(file).table(spec);
  }
  const std::string toml = metadata_path(csv_path);
  if (!fs::exists(toml)) {
    throw UserError(
        fmt::format("{} has no {} beside it", csv_path, fs::path(toml).filename().string()),
        "write that file: it states board, clocks, kernel, columns and licence; "
        "data/silicon has examples");
  }
  return load(csv_path, load_silicon_metadata(toml));
}

SiliconTable SiliconTable::load(const std::string& csv_path, SiliconMetadata metadata) {
  const CsvTable csv = read_csv(csv_path);
  SiliconTable table;
  table.path = csv_path;
  table.metadata = std::move(metadata);
  for (const auto& [name, value] : table.metadata.defaults) {
    if (csv.find_column(name)) {
      throw UserError(fmt::format("{}: kernel.defaults gives {}, but {} has a column of that name",
                                  table.metadata.path, name, csv_path),
                      "name it in kernel.parameters instead");
    }
  }
  const Layout layout(csv, table.metadata);
  table.rows.reserve(csv.rows.size());
  for (std::size_t i = 0; i < csv.rows.size(); ++i) {
    table.rows.push_back(read_row(csv, i, table.metadata, layout));
  }
  return table;
}

std::size_t SiliconTable::eligible_count() const {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const SiliconRow& r) { return r.eligible(); }));
}

std::size_t SiliconTable::failed_count() const {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const SiliconRow& r) { return r.failed(); }));
}

std::map<std::string, std::size_t> SiliconTable::excluded() const {
  std::map<std::string, std::size_t> counts;
  for (const auto& r : rows) {
    if (!r.exclusion.empty()) {
      ++counts[r.exclusion];
    }
  }
  return counts;
}

std::string metadata_path(const std::string& csv_path) {
  return without_csv(csv_path) + ".toml";
}

std::string find_silicon_table(const std::string& name, const std::string& silicon_dir) {
  if (const auto [file, spec] = measurement_name(name); !file.empty() && fs::exists(file)) {
    return name;
  }
  for (const std::string& base : {name, (fs::path(silicon_dir) / name).string()}) {
    for (const char* tail : {"", ".csv.gz", ".csv"}) {
      std::error_code ec;
      if (fs::is_regular_file(base + tail, ec)) {
        return base + tail;
      }
    }
  }
  const auto names = table_names(silicon_dir);
  // People name the file without its folder as often as with it.
  std::vector<std::string> candidates = names;
  for (const auto& n : names) {
    candidates.push_back(fs::path(n).filename().string());
    if (candidates.back() == without_csv(name)) {
      return find_silicon_table(n, silicon_dir);
    }
  }
  throw UserError(
      fmt::format("no silicon table \"{}\"{}", name, did_you_mean(without_csv(name), candidates)),
      names.empty() ? fmt::format("there is none in {}", silicon_dir)
                    : fmt::format("in {}: {}", silicon_dir, fmt::join(names, ", ")));
}

} // namespace coulomb::results
