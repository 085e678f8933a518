// SPDX-License-Identifier: Apache-2.0
#include "search/ga/operators.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace coulomb::search {
namespace {

constexpr double kJumpChance = 0.25;
constexpr double kLongerStepChance = 0.5;

Gene other_value(Gene value, std::size_t values, RandomStream& random) {
  const auto drawn = static_cast<Gene>(random.below(values - 1));
  return drawn < value ? drawn : static_cast<Gene>(drawn + 1);
}

Gene step(Gene value, std::size_t values, RandomStream& random) {
  int distance = 1;
  while (random.chance(kLongerStepChance) && distance < static_cast<int>(values) - 1) {
    ++distance;
  }
  const int last = static_cast<int>(values) - 1;
  const int up = std::min(value + distance, last);
  const int down = std::max(value - distance, 0);
  if (up == value) {
    return static_cast<Gene>(down);
  }
  if (down == value) {
    return static_cast<Gene>(up);
  }
  return static_cast<Gene>(random.chance(0.5) ? up : down);
}

void change_gene(Genes& genes,
                 const SearchSpace& space,
                 std::size_t dimension,
                 RandomStream& random) {
  const std::size_t values = space.dimensions()[dimension].values.size();
  Gene& gene = genes[dimension];
  gene =
      random.chance(kJumpChance) ? other_value(gene, values, random) : step(gene, values, random);
}

} // namespace

bool ranks_before(const Individual& a, const Individual& b) {
  if (better(a.fitness, b.fitness)) {
    return true;
  }
  return !better(b.fitness, a.fitness) && a.id < b.id;
}

const Individual&
tournament(std::span<const Individual> population, int rounds, RandomStream& random) {
  COULOMB_CHECK(!population.empty(), "a tournament among nobody");
  const Individual* winner = &population[random.below(population.size())];
  for (int i = 1; i < rounds; ++i) {
    const Individual& rival = population[random.below(population.size())];
    if (ranks_before(rival, *winner)) {
      winner = &rival;
    }
  }
  return *winner;
}

Genes uniform_crossover(std::span<const Gene> a, std::span<const Gene> b, RandomStream& random) {
  Genes child(a.begin(), a.end());
  for (std::size_t i = 0; i < child.size(); ++i) {
    if (random.chance(0.5)) {
      child[i] = b[i];
    }
  }
  return child;
}

Genes one_point_crossover(std::span<const Gene> a, std::span<const Gene> b, RandomStream& random) {
  Genes child(a.begin(), a.end());
  if (child.size() > 1) {
    const std::size_t cut = 1 + random.below(child.size() - 1);
    std::copy(b.begin() + static_cast<std::ptrdiff_t>(cut), b.end(),
              child.begin() + static_cast<std::ptrdiff_t>(cut));
  }
  return child;
}

void mutate(Genes& genes, const SearchSpace& space, double rate, RandomStream& random) {
  const auto& active = space.active();
  if (active.empty()) {
    return;
  }
  bool changed = false;
  for (const std::size_t d : active) {
    if (random.chance(rate)) {
      change_gene(genes, space, d, random);
      changed = true;
    }
  }
  if (!changed) {
    change_gene(genes, space, active[random.below(active.size())], random);
  }
}

} // namespace coulomb::search
