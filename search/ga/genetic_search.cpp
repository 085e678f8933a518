// SPDX-License-Identifier: Apache-2.0
#include "search/ga/genetic_search.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace coulomb::search {

GeneticSearch::GeneticSearch(const SearchSpace& space,
                             GaSettings settings,
                             std::uint64_t seed,
                             std::optional<Point> first)
    : space_(space), settings_(settings), seed_(seed), first_(first), seen_(space.size()) {
  COULOMB_CHECK(settings_.population > 0 && settings_.brood > 0, "population {}, brood {}",
                settings_.population, settings_.brood);
  settings_.elites = std::min(settings_.elites, settings_.population);
}

std::vector<Proposal> GeneticSearch::propose(std::uint64_t limit) {
  COULOMB_CHECK(pending_.empty(), "generation {} was not committed", generation_);
  const bool first = generation_ == 0;
  const std::uint64_t size =
      std::min<std::uint64_t>(limit, first ? settings_.population : settings_.brood);
  std::vector<Point> points;
  if (first) {
    points = first_points(size);
  } else {
    while (points.size() < size) {
      const auto child = breed(next_id_ + points.size());
      if (!child) {
        break;
      }
      points.push_back(*child);
    }
  }
  for (const Point point : points) {
    pending_.push_back({next_id_++, generation_, point});
  }
  return pending_;
}

std::vector<Point> GeneticSearch::first_points(std::uint64_t count) {
  RandomStream random(seed_, "ga.first", 0);
  std::vector<Point> points;
  if (first_ && count > 0) {
    points.push_back(*first_);
  }
  for (const Point point : space_.sample(count, random)) {
    if (points.size() < count && point != first_) {
      points.push_back(point);
    }
  }
  for (const Point point : points) {
    seen_.add(point);
  }
  return points;
}

Genes GeneticSearch::make_child(RandomStream& random) const {
  const Individual& mother = tournament(population_, settings_.tournament, random);
  const auto a = space_.genes(mother.point);
  if (!random.chance(settings_.crossover)) {
    Genes child(a.begin(), a.end());
    mutate(child, space_, settings_.clone_mutation, random);
    return child;
  }
  const auto b = space_.genes(tournament(population_, settings_.tournament, random).point);
  Genes child = random.chance(settings_.uniform) ? uniform_crossover(a, b, random)
                                                 : one_point_crossover(a, b, random);
  if (random.chance(0.5)) {
    mutate(child, space_, settings_.mutation, random);
  }
  return child;
}

std::optional<Point> GeneticSearch::breed(std::uint64_t id) {
  if (exhausted()) {
    return std::nullopt;
  }
  RandomStream random(seed_, "ga.child", id);
  Genes child = make_child(random);
  for (int attempt = 0; attempt <= settings_.attempts; ++attempt) {
    const Point point = space_.nearest(child);
    if (seen_.add(point)) {
      return point;
    }
    child.assign(space_.genes(point).begin(), space_.genes(point).end());
    mutate(child, space_, settings_.clone_mutation, random);
  }
  auto point = unseen_neighbour_of_elite(random);
  if (!point) {
    point = seen_.draw_unseen(random);
  }
  if (point) {
    seen_.add(*point);
  }
  return point;
}

std::optional<Point> GeneticSearch::unseen_neighbour_of_elite(RandomStream& random) const {
  const std::size_t elites = std::min<std::size_t>(settings_.elites, population_.size());
  for (std::size_t i = 0; i < elites; ++i) {
    std::vector<Point> unseen;
    for (const Point point : space_.neighbours(population_[i].point)) {
      if (!seen_.contains(point)) {
        unseen.push_back(point);
      }
    }
    if (!unseen.empty()) {
      return unseen[random.below(unseen.size())];
    }
  }
  return std::nullopt;
}

void GeneticSearch::commit(const std::vector<Fitness>& fitnesses) {
  COULOMB_CHECK(fitnesses.size() == pending_.size(), "{} fitnesses for {} proposals",
                fitnesses.size(), pending_.size());
  std::sort(population_.begin(), population_.end(), ranks_before);
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    population_.push_back({pending_[i].id, pending_[i].point, fitnesses[i]});
  }
  pending_.clear();
  ++generation_;
  select_survivors();
}

void GeneticSearch::select_survivors() {
  std::sort(population_.begin(), population_.end(), ranks_before);
  if (population_.size() > settings_.population) {
    population_.resize(settings_.population);
  }
}

} // namespace coulomb::search
