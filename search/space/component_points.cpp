// SPDX-License-Identifier: Apache-2.0
#include "search/space/component_points.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"

#include <algorithm>
#include <bit>

namespace coulomb::search {

ComponentPoints::ComponentPoints(std::vector<std::size_t> dimensions, std::vector<Gene> rows)
    : dimensions_(std::move(dimensions)), rows_(std::move(rows)),
      buckets_(std::bit_ceil(2 * size()), 0) {
  for (std::size_t r = 0; r < size(); ++r) {
    const std::size_t bucket = bucket_of(row(r));
    COULOMB_CHECK(buckets_[bucket] == 0, "point {} repeats an earlier one", r);
    buckets_[bucket] = static_cast<std::uint32_t>(r + 1);
  }
}

/// The bucket that holds these genes, or the empty one where they would be.
std::size_t ComponentPoints::bucket_of(std::span<const Gene> genes) const {
  const std::size_t mask = buckets_.size() - 1;
  std::size_t bucket =
      hash64({reinterpret_cast<const char*>(genes.data()), genes.size_bytes()}) & mask;
  while (buckets_[bucket] != 0) {
    const auto held = row(buckets_[bucket] - 1);
    if (std::equal(held.begin(), held.end(), genes.begin())) {
      break;
    }
    bucket = (bucket + 1) & mask;
  }
  return bucket;
}

std::optional<std::size_t> ComponentPoints::find(std::span<const Gene> genes) const {
  const std::uint32_t held = buckets_[bucket_of(genes)];
  return held == 0 ? std::nullopt : std::optional<std::size_t>(held - 1);
}

} // namespace coulomb::search
