// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace coulomb::hw {

/// One kernel launch of an Nsight Compute export.
struct NcuKernel {
  std::uint64_t id = 0; ///< ncu's, counted from 0
  std::string name;     ///< "saxpy(int, float, float *, float *)"
  /// CTAs and threads in x, y, z; 0 where the export (ncu before 2022.1) does not tell.
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint32_t, 3> block{};
  std::string device;             ///< ncu's device number; empty if the export has none
  std::string compute_capability; ///< "8.0"; empty if the export has none
  /// Values in base units: ns for times, Hz, bytes, bytes per second; per cents stay per cents.
  std::map<std::string, double> metrics;
  std::map<std::string, std::string> units; ///< of `metrics`, after scaling: "ns", "byte/second"
  std::map<std::string, std::string> texts; ///< values that are no number
  std::size_t line = 0;                     ///< of its first row
};

/// Reads what `ncu --csv` or `ncu --csv --page raw` printed: a row a metric, or a column a metric
/// with the units in the second row. Lines before the table and ncu's own (`==PROF== ...`) are
/// skipped. Numbers may have thousands separators ("1,234.5"). Throws UserError with path:line: no
/// table, a column missing, a number or a size that is none, a metric twice with two values, an
/// export without a kernel. Plain or gzip-compressed.
[[nodiscard]] std::vector<NcuKernel> read_ncu_export(const std::string& path);
/// The same from text; `path` is for messages.
[[nodiscard]] std::vector<NcuKernel> parse_ncu_export(const std::string& text,
                                                      const std::string& path);

} // namespace coulomb::hw
