// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.hpp"
#include "search/strategy/individual.hpp"

#include <optional>
#include <span>

namespace coulomb::search {

/// The best of `rounds` individuals drawn with replacement from a population that is arranged best
/// first; it must not be empty.
[[nodiscard]] const Individual&
tournament(std::span<const Individual> population, int rounds, RandomStream& random);

/// A valid point on a way from `a` to `b`: one after the other, genes in which they differ are
/// taken from `b`, each in an order that keeps the configuration valid (two at a time where no
/// single one does), until a randomly drawn number of them has been taken. It is `a` where no gene
/// can be taken; it is never `b`, unless they differ in one gene only.
[[nodiscard]] Point crossover(const SearchSpace& space, Point a, Point b, RandomStream& random);

/// A valid point that differs from `point` in `dimension` only: a short walk along the ordered
/// values (1 step, or more with halving probability) to the first value there that is valid, in
/// either direction. Among values without an order any other valid one, of a permutation one that a
/// swap of neighbouring items makes. Nothing if there is no valid one.
[[nodiscard]] std::optional<Point>
step(const SearchSpace& space, Point point, std::size_t dimension, RandomStream& random);

/// The same, but to any other value, valid ones evenly drawn: what gets across valleys, and the
/// only sensible move among values without an order.
[[nodiscard]] std::optional<Point>
jump(const SearchSpace& space, Point point, std::size_t dimension, RandomStream& random);

} // namespace coulomb::search
