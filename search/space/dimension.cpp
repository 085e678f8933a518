// SPDX-License-Identifier: Apache-2.0
#include "search/space/dimension.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace coulomb::search {
namespace {

using kernel::ParameterKind;

constexpr std::size_t kMaxItems = 8; // 40,320 orders; 9 items would not fit a gene

/// An order of the items 0 to size - 1.
struct Permutation {
  std::array<std::uint8_t, kMaxItems> items{};
  std::size_t size = 0;
};

/// Items of a permutation that has this many orders.
std::size_t items_of(std::size_t orders) {
  std::size_t items = 0;
  for (std::size_t factorial = 1; factorial < orders; factorial *= items) {
    ++items;
  }
  items = std::max<std::size_t>(items, 1);
  COULOMB_CHECK(items <= kMaxItems, "a permutation of {} values", orders);
  return items;
}

/// The order that is number `rank` in lexicographic order.
Permutation unranked(std::size_t rank, std::size_t size) {
  std::size_t factorial = 1;
  for (std::size_t i = 2; i < size; ++i) {
    factorial *= i;
  }
  std::array<std::uint8_t, kMaxItems> left{};
  for (std::size_t i = 0; i < size; ++i) {
    left[i] = static_cast<std::uint8_t>(i);
  }
  Permutation p;
  p.size = size;
  for (std::size_t i = 0; i < size; ++i) {
    auto* const taken = left.data() + rank / factorial;
    p.items[i] = *taken;
    std::copy(taken + 1, left.data() + (size - i), taken);
    rank %= factorial;
    factorial = size - 1 - i > 0 ? factorial / (size - 1 - i) : 1;
  }
  return p;
}

std::size_t rank_of(const Permutation& p) {
  std::size_t rank = 0;
  for (std::size_t i = 0; i < p.size; ++i) {
    std::size_t smaller = 0;
    for (std::size_t j = i + 1; j < p.size; ++j) {
      smaller += p.items[j] < p.items[i] ? 1 : 0;
    }
    rank = rank * (p.size - i) + smaller;
  }
  return rank;
}

/// Pairs of items that stand the other way round in the other order.
std::size_t swaps_between(const Permutation& a, const Permutation& b) {
  std::array<std::size_t, kMaxItems> place{};
  for (std::size_t i = 0; i < b.size; ++i) {
    place[b.items[i]] = i;
  }
  std::size_t swaps = 0;
  for (std::size_t i = 0; i < a.size; ++i) {
    for (std::size_t j = i + 1; j < a.size; ++j) {
      swaps += place[a.items[i]] > place[a.items[j]] ? 1 : 0;
    }
  }
  return swaps;
}

std::size_t largest_distance(const Dimension& dimension) {
  switch (dimension.kind) {
  case ParameterKind::categorical:
    return 1;
  case ParameterKind::permutation: {
    const std::size_t items = items_of(dimension.values.size());
    return items * (items - 1) / 2;
  }
  case ParameterKind::ordered:
    break;
  }
  return dimension.values.size() - 1;
}

} // namespace

std::size_t distance(const Dimension& dimension, Gene from, Gene to) {
  switch (dimension.kind) {
  case ParameterKind::categorical:
    return from == to ? 0 : 1;
  case ParameterKind::permutation: {
    const std::size_t items = items_of(dimension.values.size());
    return swaps_between(unranked(from, items), unranked(to, items));
  }
  case ParameterKind::ordered:
    break;
  }
  return from < to ? to - from : from - to;
}

double change(const Dimension& dimension, Gene from, Gene to) {
  const std::size_t largest = largest_distance(dimension);
  return largest == 0
             ? 0.0
             : static_cast<double>(distance(dimension, from, to)) / static_cast<double>(largest);
}

Genes steps(const Dimension& dimension, Gene from) {
  Genes reached;
  if (dimension.kind == ParameterKind::permutation) {
    Permutation p = unranked(from, items_of(dimension.values.size()));
    for (std::size_t i = 1; i < p.size; ++i) {
      std::swap(p.items[i - 1], p.items[i]);
      reached.push_back(static_cast<Gene>(rank_of(p)));
      std::swap(p.items[i - 1], p.items[i]);
    }
    std::sort(reached.begin(), reached.end());
    return reached;
  }
  for (std::size_t v = 0; v < dimension.values.size(); ++v) {
    if (v != from) {
      reached.push_back(static_cast<Gene>(v));
    }
  }
  return reached;
}

} // namespace coulomb::search
