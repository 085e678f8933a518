// SPDX-License-Identifier: Apache-2.0
#include "search/strategy/seen_points.hpp"

#include <algorithm>
#include <bit>

namespace coulomb::search {
namespace {

constexpr std::uint64_t kMaxBits = std::uint64_t{1} << 26; // 8 MiB
constexpr std::uint64_t kBlock = 4096;

} // namespace

SeenPoints::SeenPoints(std::uint64_t points) : points_(points), unseen_(points) {
  if (points > kMaxBits) {
    return;
  }
  unseen_bits_.assign((points + 63) / 64, ~std::uint64_t{0});
  if (points % 64 != 0) {
    unseen_bits_.back() = (std::uint64_t{1} << points % 64) - 1;
  }
  for (std::uint64_t first = 0; first < points; first += kBlock) {
    unseen_in_blocks_.push_back(static_cast<std::uint32_t>(std::min(kBlock, points - first)));
  }
}

bool SeenPoints::contains(Point point) const {
  return points_ > kMaxBits ? seen_.contains(point)
                            : (unseen_bits_[point / 64] >> point % 64 & 1) == 0;
}

bool SeenPoints::add(Point point) {
  if (points_ > kMaxBits) {
    if (!seen_.insert(point).second) {
      return false;
    }
  } else if (contains(point)) {
    return false;
  } else {
    unseen_bits_[point / 64] &= ~(std::uint64_t{1} << point % 64);
    --unseen_in_blocks_[point / kBlock];
  }
  --unseen_;
  return true;
}

std::optional<Point> SeenPoints::draw_unseen(RandomStream& random) const {
  if (unseen_ == 0) {
    return std::nullopt;
  }
  // Drawing points until an unseen one comes is quick while most are unseen; counting is bounded
  // otherwise.
  if (unseen_ * 2 >= points_) {
    Point point = random.below(points_);
    while (contains(point)) {
      point = random.below(points_);
    }
    return point;
  }
  return unseen_at(random.below(unseen_));
}

Point SeenPoints::unseen_at(std::uint64_t rank) const {
  if (points_ <= kMaxBits) {
    return unseen_at_in_bits(rank);
  }
  // Of a large space that many were seen of: point s[i] has s[i] - i unseen points before it.
  std::vector<Point> sorted(seen_.begin(), seen_.end());
  std::sort(sorted.begin(), sorted.end());
  std::uint64_t first = 0;
  std::uint64_t end = sorted.size();
  while (first < end) {
    const std::uint64_t middle = first + (end - first) / 2;
    if (sorted[middle] - middle <= rank) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return rank + first;
}

Point SeenPoints::unseen_at_in_bits(std::uint64_t rank) const {
  std::size_t block = 0;
  while (rank >= unseen_in_blocks_[block]) {
    rank -= unseen_in_blocks_[block++];
  }
  std::size_t word = block * (kBlock / 64);
  while (rank >= static_cast<std::uint64_t>(std::popcount(unseen_bits_[word]))) {
    rank -= static_cast<std::uint64_t>(std::popcount(unseen_bits_[word++]));
  }
  std::uint64_t bits = unseen_bits_[word];
  for (; rank > 0; --rank) {
    bits &= bits - 1;
  }
  return word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits));
}

} // namespace coulomb::search
