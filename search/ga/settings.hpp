// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace coulomb::search {

/// What steers the breeding of a genetic search. Nothing here depends on a space, a budget or the
/// number of jobs; docs/search.md has the measurements behind the values.
struct GaSettings {
  std::uint32_t population = 12; ///< individuals that breed
  std::uint32_t initial = 12;    ///< random points before the first child
  std::uint32_t elites = 4;      ///< best individuals whose neighbours are looked at first
  int tournament = 3;            ///< draws per parent
  int attempts = 6;              ///< further moves of a child that is already known
  std::uint32_t window = 60;     ///< children whose success decides the operators' shares
  double floor = 0.05;           ///< share that every operator keeps
  bool adaptive = true;          ///< false: all operators have the same share
  /// Evaluations without a new best after which the best one's neighbourhood is searched to its end
  /// and the population begun anew; 0: never.
  std::uint32_t stagnation = 200;
  std::optional<std::size_t> fence = std::nullopt; ///< see Fence
  bool operator==(const GaSettings&) const = default;
};

} // namespace coulomb::search
