// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace coulomb::calibration::points {

/// What a simulated value must lie in, both ends included.
struct Band {
  double low = 0.0;
  double high = 0.0;
  bool operator==(const Band&) const = default;
};

/// One published micro-benchmark figure: a row of data/ampere/validation_points.csv.
struct PublishedPoint {
  std::string chip; ///< as its source names it: "A100", "RTX_A6000", "GA100+GA10x"
  std::string name;
  std::string published; ///< as written: "4", "46 / 62", "4.0 -> 8.3", "20.9-23.4"
  std::string unit;
  std::string tolerance;   ///< as written: "0", "+1", "-1", "2%"; a remark in brackets may follow
  std::string source;      ///< keys of data/ampere/README.md, separated by ';'
  std::size_t line = 0;    ///< of the file, 1-based
  std::vector<Band> bands; ///< one for each published value; empty if the tolerance is no number
};

/// Reads a table with the columns chip, name, value, unit, tolerance and source, plain or gzip.
/// Throws UserError "PATH:LINE: ..." : a column is missing (the columns are listed), a value
/// without a number, two rows of one chip and name.
[[nodiscard]] std::vector<PublishedPoint> read_points(const std::string& path);

/// The numbers of a published value: "46 / 62" and "4.0 -> 8.3" have two. Empty if there is none.
[[nodiscard]] std::vector<double> published_numbers(const std::string& text);

/// "3" is plus or minus 3 in the point's unit, "+1" and "-1" reach to one side only, "2%" is
/// relative. What follows a blank is a remark. Empty if the tolerance is no number, such as
/// "power-dependent".
[[nodiscard]] std::vector<Band> bands(const std::vector<double>& values,
                                      const std::string& tolerance);

} // namespace coulomb::calibration::points
