// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/space/search_space.hpp"

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

namespace coulomb::search {

/// Which points of a space were proposed, so that none is proposed twice. A bit a point in spaces
/// of up to 2^26 points; in larger ones memory grows with the points that were seen.
class SeenPoints {
public:
  explicit SeenPoints(std::uint64_t points);

  [[nodiscard]] bool contains(Point point) const;
  /// Points never proposed.
  [[nodiscard]] std::uint64_t unseen() const { return unseen_; }
  /// Returns false if the point was seen before.
  bool add(Point point);
  /// A uniformly drawn unseen point, or nothing if there is none. Microseconds, however few are
  /// left.
  [[nodiscard]] std::optional<Point> draw_unseen(RandomStream& random) const;

private:
  /// The unseen point that `rank` unseen points come before.
  [[nodiscard]] Point unseen_at(std::uint64_t rank) const;
  [[nodiscard]] Point unseen_at_in_bits(std::uint64_t rank) const;

  std::uint64_t points_;
  std::uint64_t unseen_;
  std::vector<std::uint64_t> unseen_bits_;      ///< empty in a large space
  std::vector<std::uint32_t> unseen_in_blocks_; ///< of kBlock points each
  std::unordered_set<Point> seen_;              ///< of a large space
};

} // namespace coulomb::search
