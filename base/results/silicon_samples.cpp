// SPDX-License-Identifier: Apache-2.0
#include "base/results/silicon_samples.hpp"

#include "base/error.hpp"
#include "base/results/csv.hpp"

#include <charconv>
#include <filesystem>

namespace coulomb::results {
namespace {

constexpr double kMsPerNs = 1e-6;

std::uint64_t whole_number(const CsvTable& csv, std::size_t row, std::size_t column) {
  const std::string& text = csv.rows[row][column];
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, ec] = std::from_chars(text.data(), end, value);
  if (text.empty() || ec != std::errc{} || stop != end) {
    throw UserError(fmt::format("{}: {} is \"{}\", which is not a whole number", csv.where(row),
                                csv.columns[column], text));
  }
  return value;
}

} // namespace

SiliconSamples load_silicon_samples(const SiliconMetadata& metadata) {
  SiliconSamples samples;
  if (metadata.samples.empty()) {
    return samples;
  }
  const auto path = std::filesystem::path(metadata.path).parent_path() / metadata.samples;
  const CsvTable csv = read_csv(path.lexically_normal().string());
  if (csv.columns.size() < 2 || csv.columns[0] != "row") {
    throw UserError(
        fmt::format("{}:1: the columns must be \"row\", then one for each launch", csv.path));
  }
  for (std::size_t r = 0; r < csv.rows.size(); ++r) {
    auto& times = samples[whole_number(csv, r, 0)];
    for (std::size_t c = 1; c < csv.columns.size(); ++c) {
      if (csv.rows[r][c].empty()) {
        continue; // rows may have fewer launches than the longest
      }
      const std::uint64_t ns = whole_number(csv, r, c);
      if (ns == 0) {
        throw UserError(
            fmt::format("{}: {} is 0; a time must be above 0 ns", csv.where(r), csv.columns[c]));
      }
      times.push_back(static_cast<double>(ns) * kMsPerNs);
    }
  }
  return samples;
}

} // namespace coulomb::results
