// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/silicon_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace coulomb::calibration {

struct SampleRequest {
  std::size_t count = 200; ///< eligible rows wanted; at least 1
  std::uint64_t seed = 1;
  double failing_share =
      0.1; ///< failing rows on top, as a share of the eligible ones drawn; rounded up
};

/// One tenth of the eligible rows by time.
struct Decile {
  double from_ms = 0.0;
  double to_ms = 0.0;
  std::size_t available = 0;
  std::size_t drawn = 0;
};

/// What was drawn from a table.
struct Sample {
  SampleRequest request;
  std::vector<std::size_t>
      rows;                 ///< indices into the table's rows, ascending; eligible and failing ones
  std::size_t eligible = 0; ///< in the table
  std::size_t drawn_eligible = 0; ///< min(request.count, eligible)
  std::array<Decile, 10> deciles; ///< fastest first
  std::size_t failing = 0;        ///< in the table
  std::size_t drawn_failing = 0;
  std::map<std::string, std::size_t> drawn_failing_by_status; ///< our status word: rows
};

/// Draws eligible rows evenly from the time deciles, without replacement, and failing rows on top,
/// in proportion to their kinds but at least one of each kind while there is room. The same table,
/// count and seed give the same rows. Throws UserError if no row is eligible or count is 0.
[[nodiscard]] Sample draw_sample(const results::SiliconTable& table, const SampleRequest& request);

/// First of decile `decile` (10: one past the last) among `n` things in order.
[[nodiscard]] std::size_t decile_begin(std::size_t decile, std::size_t n);

/// A sample of things with these times, ascending, without its rows and failing ones: the deciles,
/// and how many are to be drawn of each. Throws UserError if count is 0.
[[nodiscard]] Sample sample_of_times(const std::vector<double>& ascending_ms,
                                     const SampleRequest& request);

/// Failing rows that no filter excludes.
[[nodiscard]] std::size_t countable_failures(const results::SiliconTable& table);

} // namespace coulomb::calibration
