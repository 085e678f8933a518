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

Breeder::Breeder(const SearchSpace& space, const GaSettings& settings, Arrange arrange)
    : space_(&space), settings_(settings), arrange_(arrange), fence_(space, settings.fence),
      bandit_(kOperators, settings.window, settings.floor) {}

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
    auto child = apply(op, random);
    for (int i = 0; child && seen.contains(child->point) && i < settings_.attempts; ++i) {
      child->point = mutate(child->parent, child->point, op, random);
    }
    if (child && !seen.contains(child->point)) {
      made_by_[child->point] = op;
      return Choice{child->point, kNames[op]};
    }
    if (const auto near = unseen_neighbour(settings_.elites, seen, random)) {
      return Choice{*near, kNeighbour};
    }
  }
  return Choice{seen.draw_unseen(random).value(), kNames[kRandom]};
}

std::optional<Point> Breeder::attempt(RandomStream& random) const {
  if (population_.size() < settings_.initial) {
    return std::nullopt;
  }
  const auto child = apply(random.below(kRandom), random);
  return child ? std::optional(child->point) : std::nullopt;
}

std::optional<Breeder::Child> Breeder::apply(std::size_t op, RandomStream& random) const {
  if (op == kRandom) {
    const Point point = random.below(space_->size());
    return Child{point, point};
  }
  const Point mother = tournament(population_, settings_.tournament, random).point;
  if (op != kCrossover) {
    return Child{mother, mutate(mother, mother, op, random)};
  }
  const Point father = tournament(population_, settings_.tournament, random).point;
  const Point between = crossover(*space_, mother, father, random);
  if (fence_.allows(mother, between)) {
    return Child{mother, random.chance(kMutationAfterCrossover)
                             ? mutate(mother, between, kStep, random)
                             : between};
  }
  return fence_.allows(father, between) ? std::optional(Child{father, between}) : std::nullopt;
}

Point Breeder::mutate(Point parent, Point point, std::size_t op, RandomStream& random) const {
  const auto& active = space_->active();
  if (active.empty()) {
    return point;
  }
  do {
    const std::size_t d = active[random.below(active.size())];
    const auto moved =
        op == kJump ? jump(*space_, point, d, random) : step(*space_, point, d, random);
    if (moved && fence_.allows(parent, *moved)) {
      point = *moved;
    }
  } while (random.chance(kFurtherGene));
  return point;
}

std::optional<Point>
Breeder::unseen_neighbour(std::size_t elites, const SeenPoints& seen, RandomStream& random) const {
  for (std::size_t i = 0; i < std::min(elites, population_.size()); ++i) {
    std::vector<Point> unseen;
    for (const Point point : space_->neighbours(population_[i].point)) {
      if (!seen.contains(point) && fence_.allows(population_[i].point, point)) {
        unseen.push_back(point);
      }
    }
    if (!unseen.empty()) {
      return unseen[random.below(unseen.size())];
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> Breeder::admit(const Individual& individual) {
  const auto is_it = [&](const Individual& other) { return other.point == individual.point; };
  if (std::any_of(population_.begin(), population_.end(), is_it)) {
    return std::nullopt;
  }
  population_.push_back(individual);
  arrange_(population_);
  const auto place = static_cast<std::size_t>(
      std::find_if(population_.begin(), population_.end(), is_it) - population_.begin());
  if (population_.size() > settings_.population) {
    population_.pop_back();
  }
  return place;
}

void Breeder::commit(const Individual& individual) {
  const auto before = static_cast<double>(population_.size());
  const auto place = admit(individual);
  if (const auto made = made_by_.find(individual.point); made != made_by_.end()) {
    const bool ok = individual.fitness.status == eval::EvalStatus::ok;
    bandit_.credit(made->second,
                   ok && place ? 1.0 - static_cast<double>(*place) / (before + 1.0) : 0.0);
    made_by_.erase(made);
  }
}

std::vector<Individual> Breeder::best(std::size_t count) const {
  const std::size_t n = std::min(count, population_.size());
  return {population_.begin(), population_.begin() + static_cast<std::ptrdiff_t>(n)};
}

void Breeder::relearn(std::span<const Individual> history) {
  population_.clear();
  for (const Individual& individual : history) {
    admit(individual);
  }
}

} // namespace coulomb::search
