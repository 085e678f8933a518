// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace coulomb::results {

/// One named vector of a table, one element per row.
struct Hdf5Column {
  std::string name;
  std::string unit; ///< "1" for a pure number, "text" for words
  std::string description;
  std::variant<std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>> values;
  [[nodiscard]] std::size_t size() const;
};

/// One scalar of /meta.
struct Hdf5Scalar {
  std::string name;
  std::string unit;
  std::string description;
  std::variant<std::int64_t, double, std::string> value;
};

/// A dense table of doubles with named columns.
struct Hdf5Matrix {
  std::string name;
  std::string unit;
  std::string description;
  std::vector<std::string> columns;
  std::vector<double> values; ///< [rows][columns], NaN where a row has no such value
  /// One per column, or empty: the columns' names say it.
  std::vector<std::string> column_units = {};
  std::vector<std::string> column_descriptions = {};
};

/// Contents of one results file.
struct Hdf5Snapshot {
  std::vector<Hdf5Scalar> meta;
  std::string table = "evaluations"; ///< name of the group that holds columns and matrices
  std::vector<Hdf5Column> columns;   ///< all of one length
  /// The columns' names are in the dataset NAME_names beside it; if they are stated, their units in
  /// NAME_units and their descriptions in NAME_descriptions.
  std::vector<Hdf5Matrix> matrices;
};

/// Writes /meta and /`table` to `path`. Every dataset has the attributes `unit` and `description`.
/// The file is written beside its place, flushed to the disk and renamed: readers see the old or
/// the new snapshot, whole. Texts are fixed-length, zero-padded UTF-8; numbers 64-bit
/// little-endian. Throws EnvironmentError if it cannot be written.
void write_hdf5(const std::string& path, const Hdf5Snapshot& snapshot);

} // namespace coulomb::results
