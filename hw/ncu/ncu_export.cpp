// SPDX-License-Identifier: Apache-2.0
#include "hw/ncu/ncu_export.hpp"

#include "base/error.hpp"
#include "base/results/csv.hpp"
#include "hw/ncu/ncu_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace coulomb::hw {
namespace {

using results::CsvTable;

constexpr const char* kHint =
    "export with: ncu --csv --page raw --import FILE.ncu-rep > FILE.csv (or ncu --csv COMMAND)";
/// Blanks the lines that do not belong to the table, so that line numbers stay those of the file.
std::string table_only(const std::string& text, const std::string& path) {
  std::string out;
  bool inside = false;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    inside = inside || line.rfind("\"ID\",", 0) == 0 || line.rfind("ID,", 0) == 0;
    if (inside && line.rfind("==", 0) != 0) {
      out += line;
    }
    out += '\n';
    begin = end + 1;
  }
  if (!inside) {
    throw UserError(fmt::format("{}: no table of ncu: no line begins with \"ID\"", path), kHint);
  }
  return out;
}

/// Rows of the table, and the kernels that they make up.
class Reader {
public:
  explicit Reader(const CsvTable& table) : table_(table) {}

  std::vector<NcuKernel> read() {
    const auto name = table_.find_column("Metric Name");
    if (name) {
      read_long(*name);
    } else {
      read_raw();
    }
    if (kernels_.empty()) {
      throw UserError(fmt::format("{}: the table of ncu has no kernel", table_.path), kHint);
    }
    return std::move(kernels_);
  }

private:
  [[noreturn]] void fail(std::size_t row, const std::string& what) const {
    throw UserError(fmt::format("{}: {}", table_.where(row), what), kHint);
  }

  [[nodiscard]] std::size_t column(const std::string& name) const {
    const auto found = table_.find_column(name);
    if (!found) {
      throw UserError(fmt::format("{}: the table of ncu has no column \"{}\"", table_.path, name),
                      kHint);
    }
    return *found;
  }

  /// Value of a column that older releases do not print; empty if it is not there.
  [[nodiscard]] std::string cell(std::size_t row, const char* name) const {
    const auto found = table_.find_column(name);
    return found ? table_.rows[row][*found] : std::string{};
  }

  [[nodiscard]] std::array<std::uint32_t, 3> size(std::size_t row, const char* name) const {
    const std::string text = cell(row, name);
    if (text.empty()) {
      return {};
    }
    const auto value = parse_ncu_size(text);
    if (!value) {
      fail(row, fmt::format("{} is \"{}\", not of the form (x, y, z)", name, text));
    }
    return *value;
  }

  [[nodiscard]] std::uint64_t id_of(std::size_t row) const {
    const std::string& text = table_.rows[row][column("ID")];
    std::uint64_t id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error != std::errc{} || end != text.data() + text.size()) {
      fail(row, fmt::format("ID is \"{}\", not a number", text));
    }
    return id;
  }

  /// The kernel that the row before belongs to too, or a new one.
  NcuKernel& kernel_of(std::size_t row) {
    const std::string process = cell(row, "Process ID"); // each process counts its kernels from 0
    if (!kernels_.empty() && kernels_.back().id == id_of(row) && process_ == process) {
      return kernels_.back();
    }
    process_ = process;
    return new_kernel(row);
  }

  NcuKernel& new_kernel(std::size_t row) {
    NcuKernel& kernel = kernels_.emplace_back();
    kernel.id = id_of(row);
    kernel.name = table_.rows[row][column("Kernel Name")];
    kernel.grid = size(row, "Grid Size");
    kernel.block = size(row, "Block Size");
    kernel.device = cell(row, "Device");
    kernel.compute_capability = cell(row, "CC");
    kernel.line = table_.lines[row];
    return kernel;
  }

  void add(std::size_t row,
           NcuKernel& kernel,
           const std::string& metric,
           const std::string& unit_text,
           const std::string& value) {
    if (value.empty()) {
      return; // a raw page leaves out what a kernel does not have
    }
    const std::optional<double> number = parse_ncu_number(value);
    if (!number) {
      const bool counts = metric.find("__") != std::string::npos && !unit_text.empty();
      if (counts && value.find_first_of("0123456789") != std::string::npos &&
          value.find('(') == std::string::npos) {
        fail(row, fmt::format("{} is \"{}\" {}, not a number", metric, value, unit_text));
      }
      kernel.texts[metric] = value; // "n/a", "CachePreferNone", lists of instances
      return;
    }
    const NcuUnit unit = parse_ncu_unit(unit_text);
    const double scaled = *number * unit.scale;
    const auto there = kernel.units.find(metric);
    // A details page has two "Memory Throughput": of the peak, and in bytes per second.
    const bool other = there != kernel.units.end() && there->second != unit.base;
    const std::string key = other ? fmt::format("{} [{}]", metric, unit.base) : metric;
    const auto [it, fresh] = kernel.metrics.try_emplace(key, scaled);
    // Its sections repeat metrics, each rounded as printed.
    if (!fresh &&
        std::abs(it->second - scaled) > 0.01 * std::max(std::abs(it->second), std::abs(scaled))) {
      fail(row, fmt::format("{} of kernel {} is {} here and {} before", key, kernel.id, scaled,
                            it->second));
    }
    kernel.units.try_emplace(key, unit.base);
  }

  void read_long(std::size_t name) {
    const std::size_t unit = column("Metric Unit");
    const std::size_t value = column("Metric Value");
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      const auto& cells = table_.rows[row];
      NcuKernel& kernel = kernel_of(row);
      if (!cells[name].empty()) { // else it holds a rule's advice
        add(row, kernel, cells[name], cells[unit], cells[value]);
      }
    }
  }

  void read_raw() {
    const std::size_t id = column("ID");
    if (table_.rows.empty() || !table_.rows[0][id].empty()) {
      throw UserError(fmt::format("{}: a raw page of ncu has its units in the second row, with no "
                                  "ID; this has none",
                                  table_.rows.empty() ? table_.path : table_.where(0)),
                      kHint);
    }
    for (std::size_t row = 1; row < table_.rows.size(); ++row) {
      NcuKernel& kernel = new_kernel(row);
      for (std::size_t c = 0; c < table_.columns.size(); ++c) {
        // Other columns tell about the launch, or are NVTX ranges.
        if (table_.columns[c].find("__") != std::string::npos) {
          add(row, kernel, table_.columns[c], table_.rows[0][c], table_.rows[row][c]);
        }
      }
    }
  }

  const CsvTable& table_;
  std::vector<NcuKernel> kernels_;
  std::string process_; ///< of the last kernel
};

} // namespace

std::vector<NcuKernel> read_ncu_export(const std::string& path) {
  return parse_ncu_export(results::read_gzip(path), path);
}

std::vector<NcuKernel> parse_ncu_export(const std::string& text, const std::string& path) {
  const CsvTable table = results::parse_csv(table_only(text, path), path);
  return Reader(table).read();
}

} // namespace coulomb::hw
