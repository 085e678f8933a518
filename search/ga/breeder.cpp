// SPDX-License-Identifier: Apache-2.0
#include "search/ga/breeder.hpp"

#include <algorithm>
#include <array>

namespace coulomb::search {
namespace {

enum Operator : std::size_t { kCrossover, kStep, kJump, kRandom, kOperators };
constexpr std::array<std::string_view, kOperators> kNames = {"crossover", "step", "jump", "random"};
constexpr std::string_view kNeighbour = "neighbour";
/// A crossover's child is mutated, too, this often.
constexpr double kMutationAfterCrossover = 0.5;
/// A further gene changes this often.
constexpr double kFurtherGene = 0.35;

} // namespace

Breeder::Breeder(const SearchSpace& space, const GaSettings& settings)
    : space_(&space), settings_(settings), bandit_(kOperators, settings.window, settings.floor) {}

std::vector<std::string_view> Breeder::operator_names() {
  return {kNames.begin(), kNames.end()};
}

std::vector<double> Breeder::shares() const {
  return settings_.adaptive ? bandit_.shares()
                            : std::vector<double>(kOperators, 1.0 / double{kOperators});
}

std::optional<Choice> Breeder::breed(const SeenPoints& seen, RandomStream& random) {
  if (seen.unseen() == 0) {
    return std::nullopt;
  }
  if (population_.size() >= settings_.initial) {
    const std::size_t op = settings_.adaptive ? bandit_.choose(random) : random.below(kOperators);
    auto point = apply(op, random);
    for (int i = 0; point && seen.contains(*point) && i < settings_.attempts; ++i) {
      point = mutate(*point, op, random);
    }
    if (point && !seen.contains(*point)) {
      made_by_[*point] = op;
      return Choice{*point, kNames[op]};
    }
    if (const auto near = unseen_neighbour_of_elite(seen, random)) {
      return Choice{*near, kNeighbour};
    }
  }
  return Choice{seen.draw_unseen(random).value(), kNames[kRandom]};
}

std::optional<Point> Breeder::attempt(RandomStream& random) const {
  return population_.size() < settings_.initial ? std::nullopt
                                                : apply(random.below(kRandom), random);
}

std::optional<Point> Breeder::apply(std::size_t op, RandomStream& random) const {
  if (op == kRandom) {
    return random.below(space_->size());
  }
  const Point mother = tournament(population_, settings_.tournament, random).point;
  if (op != kCrossover) {
    return mutate(mother, op, random);
  }
  const Point father = tournament(population_, settings_.tournament, random).point;
  const Point child = crossover(*space_, mother, father, random);
  return random.chance(kMutationAfterCrossover) ? mutate(child, kStep, random) : child;
}

Point Breeder::mutate(Point point, std::size_t op, RandomStream& random) const {
  const auto& active = space_->active();
  if (active.empty()) {
    return point;
  }
  do {
    const std::size_t d = active[random.below(active.size())];
    const auto moved =
        op == kJump ? jump(*space_, point, d, random) : step(*space_, point, d, random);
    point = moved.value_or(point);
  } while (random.chance(kFurtherGene));
  return point;
}

std::optional<Point> Breeder::unseen_neighbour_of_elite(const SeenPoints& seen,
                                                        RandomStream& random) const {
  const std::size_t elites = std::min<std::size_t>(settings_.elites, population_.size());
  for (std::size_t i = 0; i < elites; ++i) {
    std::vector<Point> unseen;
    for (const Point point : space_->neighbours(population_[i].point)) {
      if (!seen.contains(point)) {
        unseen.push_back(point);
      }
    }
    if (!unseen.empty()) {
      return unseen[random.below(unseen.size())];
    }
  }
  return std::nullopt;
}

void Breeder::commit(const Individual& individual) {
  const auto at =
      std::lower_bound(population_.begin(), population_.end(), individual, ranks_before);
  const auto rank = static_cast<double>(at - population_.begin());
  if (const auto made = made_by_.find(individual.point); made != made_by_.end()) {
    const bool ok = individual.fitness.status == eval::EvalStatus::ok;
    bandit_.credit(made->second,
                   ok ? 1.0 - rank / static_cast<double>(population_.size() + 1) : 0.0);
    made_by_.erase(made);
  }
  population_.insert(at, individual);
  if (population_.size() > settings_.population) {
    population_.pop_back();
  }
}

} // namespace coulomb::search
