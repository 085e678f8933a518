// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/silicon_metadata.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::results {

/// One measured configuration.
struct SiliconRow {
  std::size_t row = 0;              ///< 0-based data row of the table
  kernel::Configuration parameters; ///< those of the table, then the defaults of absent columns
  eval::EvalStatus status = eval::EvalStatus::ok; ///< what happened on silicon, in our words
  std::optional<double> time_ms;                  ///< present exactly if status is ok
  std::string exclusion; ///< why a row that ran does not count; empty: it counts

  /// It ran and its time may be compared.
  [[nodiscard]] bool eligible() const { return time_ms.has_value() && exclusion.empty(); }
  /// Silicon could not compile or run it.
  [[nodiscard]] bool failed() const { return status != eval::EvalStatus::ok; }
};

/// Recorded measurements of one tunable kernel on one board: a CSV (gzip-compressed or plain) and
/// the TOML beside it, whose row filter and status words have been applied.
class SiliconTable {
public:
  /// Reads `csv_path` and the TOML of the same name (X.csv.gz: X.toml). Throws UserError: no TOML,
  /// a column that the TOML names is missing (did you mean), and with path:line a value that is not
  /// a number, a time that is not positive, an unknown status word, a row that ran but has no time.
  /// Also reads what `coulomb hw measure` wrote: "FILE.json", or "FILE.json#KERNEL".
  static SiliconTable load(const std::string& csv_path);
  /// The same with another metadata than what is beside it (for example another time column).
  static SiliconTable load(const std::string& csv_path, SiliconMetadata metadata);

  std::string path;
  SiliconMetadata metadata;
  std::vector<SiliconRow> rows;

  [[nodiscard]] std::size_t eligible_count() const;
  [[nodiscard]] std::size_t failed_count() const;
  /// Reason: number of rows that do not count for it.
  [[nodiscard]] std::map<std::string, std::size_t> excluded() const;
};

/// The TOML that belongs to a table: X.csv.gz and X.csv have X.toml.
[[nodiscard]] std::string metadata_path(const std::string& csv_path);

/// A table as the user names it: a path, or below `silicon_dir` with or without ".csv.gz", e.g.
/// "convolution/convolution_A100-PCIE-40GB". Throws UserError with the nearest name and the list.
[[nodiscard]] std::string find_silicon_table(const std::string& name,
                                             const std::string& silicon_dir);

} // namespace coulomb::results
