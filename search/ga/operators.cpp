// SPDX-License-Identifier: Apache-2.0
#include "search/ga/operators.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace coulomb::search {
namespace {

constexpr double kLongerStepChance = 0.5;
/// Values that jump() tries before it looks at all of them.
constexpr int kJumpDraws = 8;

std::optional<Point>
with_gene(const SearchSpace& space, Genes& genes, std::size_t dimension, Gene value) {
  const Gene before = genes[dimension];
  genes[dimension] = value;
  const auto found = space.find(genes);
  genes[dimension] = before;
  return found;
}

/// The first valid value from `first` on, going up or down.
std::optional<Point> first_valid(
    const SearchSpace& space, Genes& genes, std::size_t dimension, int first, int direction) {
  const int count = static_cast<int>(space.dimensions()[dimension].values.size());
  for (int value = first; value >= 0 && value < count; value += direction) {
    if (auto found = with_gene(space, genes, dimension, static_cast<Gene>(value))) {
      return found;
    }
  }
  return std::nullopt;
}

/// Takes one of the genes `left` from `b`, or two if no single one gives a valid point. Returns
/// false if neither does.
bool take_genes(const SearchSpace& space,
                Genes& genes,
                const Genes& b,
                std::vector<std::size_t>& left,
                RandomStream& random) {
  std::vector<std::size_t> order = left;
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random.below(i)]);
  }
  const auto take = [&](std::initializer_list<std::size_t> dimensions) {
    Genes changed = genes;
    for (const std::size_t d : dimensions) {
      changed[d] = b[d];
    }
    if (!space.find(changed)) {
      return false;
    }
    genes = std::move(changed);
    for (const std::size_t d : dimensions) {
      left.erase(std::find(left.begin(), left.end(), d));
    }
    return true;
  };
  for (const std::size_t d : order) {
    if (take({d})) {
      return true;
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (take({order[i], order[j]})) {
        return true;
      }
    }
  }
  return false;
}

} // namespace

const Individual&
tournament(std::span<const Individual> population, int rounds, RandomStream& random) {
  COULOMB_CHECK(!population.empty(), "a tournament among nobody");
  std::size_t winner = random.below(population.size());
  for (int i = 1; i < rounds; ++i) {
    winner = std::min<std::size_t>(winner, random.below(population.size()));
  }
  return population[winner];
}

Point crossover(const SearchSpace& space, Point a, Point b, RandomStream& random) {
  Genes genes = space.genes(a);
  const Genes other = space.genes(b);
  std::vector<std::size_t> left;
  for (const std::size_t d : space.active()) {
    if (genes[d] != other[d]) {
      left.push_back(d);
    }
  }
  if (left.empty()) {
    return a;
  }
  const std::size_t kept = left.size() == 1 ? 0 : 1 + random.below(left.size() - 1);
  while (left.size() > kept && take_genes(space, genes, other, left, random)) {
  }
  const auto child = space.find(genes);
  COULOMB_CHECK(child.has_value(), "a crossover of {} and {} left the valid points", a, b);
  return left.empty() && kept > 0 ? a : *child;
}

std::optional<Point>
step(const SearchSpace& space, Point point, std::size_t dimension, RandomStream& random) {
  Genes genes = space.genes(point);
  if (space.dimensions()[dimension].kind != kernel::ParameterKind::ordered) {
    const Genes others = steps(space.dimensions()[dimension], genes[dimension]);
    std::vector<Point> valid;
    for (const Gene other : others) {
      if (const auto found = with_gene(space, genes, dimension, other)) {
        valid.push_back(*found);
      }
    }
    return valid.empty() ? std::nullopt : std::optional(valid[random.below(valid.size())]);
  }
  const int value = genes[dimension];
  int distance = 1;
  while (random.chance(kLongerStepChance) &&
         distance + 1 < static_cast<int>(space.dimensions()[dimension].values.size())) {
    ++distance;
  }
  const int direction = random.chance(0.5) ? 1 : -1;
  for (const int sign : {direction, -direction}) {
    for (const int first : {value + sign * distance, value + sign}) {
      if (auto found = first_valid(space, genes, dimension, first, sign)) {
        return found;
      }
    }
  }
  return std::nullopt;
}

std::optional<Point>
jump(const SearchSpace& space, Point point, std::size_t dimension, RandomStream& random) {
  Genes genes = space.genes(point);
  const Gene value = genes[dimension];
  const std::size_t count = space.dimensions()[dimension].values.size();
  const auto other = [&](std::size_t drawn) {
    return static_cast<Gene>(drawn < value ? drawn : drawn + 1);
  };
  for (int i = 0; i < kJumpDraws && count > 1; ++i) {
    if (auto found = with_gene(space, genes, dimension, other(random.below(count - 1)))) {
      return found;
    }
  }
  std::vector<Point> valid;
  for (std::size_t drawn = 0; drawn + 1 < count; ++drawn) {
    if (auto found = with_gene(space, genes, dimension, other(drawn))) {
      valid.push_back(*found);
    }
  }
  return valid.empty() ? std::nullopt : std::optional(valid[random.below(valid.size())]);
}

} // namespace coulomb::search
