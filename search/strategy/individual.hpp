// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/space/search_space.hpp"
#include "search/strategy/fitness.hpp"

#include <cstdint>

namespace coulomb::search {

/// From here on ids are not of this search's proposals: somebody else evaluated the point.
inline constexpr std::uint64_t kFirstImmigrant = std::uint64_t{1} << 63;

/// A point whose fitness is known.
struct Individual {
  std::uint64_t id = 0;
  Point point = 0;
  Fitness fitness;
  double seconds = 0.0; ///< that its evaluation took: compiler and simulation; 0: unknown
  bool operator==(const Individual&) const = default;

  [[nodiscard]] bool immigrant() const { return id >= kFirstImmigrant; }
};

/// Best first; equals by id, so that the order is total.
[[nodiscard]] bool ranks_before(const Individual& a, const Individual& b);

} // namespace coulomb::search
