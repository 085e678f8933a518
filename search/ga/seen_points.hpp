// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/space/search_space.hpp"

#include <optional>
#include <vector>

namespace coulomb::search {

/// Which points of a space were proposed, so that none is proposed twice.
class SeenPoints {
public:
  explicit SeenPoints(std::size_t points) : seen_(points, false), unseen_(points) {}

  [[nodiscard]] bool contains(Point point) const { return seen_[point]; }
  /// Points never proposed.
  [[nodiscard]] std::size_t unseen() const { return unseen_; }
  /// Returns false if the point was seen before.
  bool add(Point point);
  /// A uniformly drawn unseen point, or nothing if there is none.
  [[nodiscard]] std::optional<Point> draw_unseen(RandomStream& random) const;

private:
  std::vector<bool> seen_;
  std::size_t unseen_;
};

} // namespace coulomb::search
