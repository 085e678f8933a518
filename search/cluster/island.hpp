// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::search {

/// Most processes that may search as islands of one directory.
inline constexpr std::uint64_t kMostIslands = 4096;

/// One of several processes that search the same space, each with workers and a journal of its own.
struct Island {
  std::uint64_t index = 0; ///< 0 to count - 1
  std::uint64_t count = 1; ///< 1 to kMostIslands
  bool operator==(const Island&) const = default;

  /// The seed of its random streams: of the search's seed and the index.
  [[nodiscard]] std::uint64_t seed(std::uint64_t search_seed) const;
  /// Its part of the budget; the parts of all islands add up to it.
  [[nodiscard]] std::uint64_t share(std::uint64_t budget) const;
};

/// Value of an environment variable; nothing if it is not set.
using Variables = std::function<std::optional<std::string>(const std::string& name)>;

/// "K/N", or "auto": the place of this task in its Slurm job array, whose task numbers must be
/// evenly spaced. Throws UserError for anything else, and for "auto" outside a job array.
[[nodiscard]] Island parse_island(const std::string& text, const Variables& variables);

/// Directory of an island below the directory that all share.
[[nodiscard]] std::string island_dir(const std::string& shared, std::uint64_t index);
/// The islands that have a journal below `shared`, by index; empty if it is no such directory.
[[nodiscard]] std::vector<std::uint64_t> islands_in(const std::string& shared);

} // namespace coulomb::search
