// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.hpp"
#include "search/ga/fitness.hpp"
#include "search/space/search_space.hpp"

#include <span>

namespace coulomb::search {

/// A point whose fitness is known.
struct Individual {
  std::uint64_t id = 0;
  Point point = 0;
  Fitness fitness;
  bool operator==(const Individual&) const = default;
};

/// Best first; equals by id, so that the order is total.
[[nodiscard]] bool ranks_before(const Individual& a, const Individual& b);

/// The best of `rounds` individuals drawn with replacement; `population` must not be empty.
[[nodiscard]] const Individual&
tournament(std::span<const Individual> population, int rounds, RandomStream& random);

/// Each gene from one of the parents, evenly. The child need not be a valid point.
[[nodiscard]] Genes
uniform_crossover(std::span<const Gene> a, std::span<const Gene> b, RandomStream& random);

/// Genes before a cut from `a`, the others from `b`; the cut is inside, so both give at least one.
[[nodiscard]] Genes
one_point_crossover(std::span<const Gene> a, std::span<const Gene> b, RandomStream& random);

/// Changes each active gene with probability `rate`, and at least one. Most changes are a short
/// walk along the ordered values (1 step, or more with halving probability); one in four is to any
/// other value, which gets across valleys and is the only sensible move among values without an
/// order.
void mutate(Genes& genes, const SearchSpace& space, double rate, RandomStream& random);

} // namespace coulomb::search
