// SPDX-License-Identifier: Apache-2.0
#include "search/ga/seen_points.hpp"

namespace coulomb::search {

bool SeenPoints::add(Point point) {
  if (seen_[point]) {
    return false;
  }
  seen_[point] = true;
  --unseen_;
  return true;
}

std::optional<Point> SeenPoints::draw_unseen(RandomStream& random) const {
  if (unseen_ == 0) {
    return std::nullopt;
  }
  // Drawing points until an unseen one comes is quick while most are unseen; counting is bounded
  // otherwise.
  if (unseen_ * 2 >= seen_.size()) {
    Point point = random.below(seen_.size());
    while (seen_[point]) {
      point = random.below(seen_.size());
    }
    return point;
  }
  std::uint64_t left = random.below(unseen_);
  for (Point point = 0; point < seen_.size(); ++point) {
    if (!seen_[point] && left-- == 0) {
      return point;
    }
  }
  return std::nullopt;
}

} // namespace coulomb::search
