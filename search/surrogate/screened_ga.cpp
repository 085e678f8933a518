// SPDX-License-Identifier: Apache-2.0
#include "search/surrogate/screened_ga.hpp"

#include <algorithm>
#include <unordered_set>

namespace coulomb::search {
namespace {

/// Draws of a random candidate, as a multiple of those that are wanted.
constexpr std::size_t kDraws = 4;

} // namespace

ScreenedGa::ScreenedGa(const SearchSpace& space,
                       const ScreenSettings& settings,
                       const StrategyStart& start)
    : ledger_(space, start), breeder_(space, settings.ga),
      model_(space, settings.model, start.seed), settings_(settings),
      fence_(space, settings.ga.fence) {}

std::optional<Proposal> ScreenedGa::propose() {
  auto proposal = ledger_.propose([&] { return choose(); });
  if (proposal) {
    model_.expect(proposal->point);
  }
  return proposal;
}

std::optional<Choice> ScreenedGa::choose() {
  RandomStream random = ledger_.random("ga.child");
  if (ledger_.proposed() < settings_.initial || !model_.ready()) {
    const auto point = ledger_.seen().draw_unseen(random);
    return point ? std::optional(Choice{*point, "random"}) : std::nullopt;
  }
  if (model_.due()) {
    model_.renew(candidates());
  }
  if (const auto point = model_.most_promising(ledger_.seen())) {
    return Choice{*point, "model"};
  }
  return breeder_.breed(ledger_.seen(), random);
}

std::vector<Point> ScreenedGa::unseen_neighbours(Point point) const {
  std::vector<Point> unseen;
  for (const Point neighbour : ledger_.space().neighbours(point)) {
    if (!ledger_.seen().contains(neighbour) && within_fence(neighbour)) {
      unseen.push_back(neighbour);
    }
  }
  return unseen;
}

bool ScreenedGa::within_fence(Point point) const {
  const auto& population = breeder_.population();
  return fence_.open() ||
         std::any_of(population.begin(), population.end(),
                     [&](const Individual& parent) { return fence_.allows(parent.point, point); });
}

std::vector<Point> ScreenedGa::candidates() const {
  const SearchSpace& space = ledger_.space();
  const SeenPoints& seen = ledger_.seen();
  std::vector<Point> points;
  if (space.size() <= settings_.candidates) {
    for (Point point = 0; point < space.size(); ++point) {
      if (!seen.contains(point) && within_fence(point)) {
        points.push_back(point);
      }
    }
    return points;
  }
  std::unordered_set<Point> known;
  const auto add = [&](Point point) {
    if (points.size() < settings_.candidates && !seen.contains(point) &&
        known.insert(point).second && within_fence(point)) {
      points.push_back(point);
    }
  };
  const auto& population = breeder_.population();
  for (std::size_t i = 0; i < std::min(settings_.elites, population.size()); ++i) {
    for (const Point neighbour : space.neighbours(population[i].point)) {
      add(neighbour);
    }
  }
  RandomStream random = ledger_.random("ga.candidates", ledger_.committed());
  for (std::size_t i = 0; i < settings_.bred; ++i) {
    if (const auto child = breeder_.attempt(random)) {
      add(*child);
    }
  }
  for (std::size_t i = 0; i < kDraws * settings_.candidates; ++i) {
    if (points.size() >= settings_.candidates) {
      break;
    }
    add(random.below(space.size()));
  }
  return points;
}

void ScreenedGa::commit(const Individual& evaluated) {
  ledger_.commit(evaluated);
  breeder_.commit(evaluated);
  model_.learn(evaluated);
  watch_around(evaluated);
}

void ScreenedGa::adopt(const Individual& immigrant) {
  ledger_.adopt(immigrant.point);
  breeder_.commit(immigrant);
  model_.adopt(immigrant);
  watch_around(immigrant);
}

void ScreenedGa::watch_around(const Individual& latest) {
  if (breeder_.population().front().id == latest.id &&
      ledger_.space().size() > settings_.candidates) {
    model_.watch(unseen_neighbours(latest.point)); // a new best
  }
}

void ScreenedGa::relearn(std::span<const Individual> history) {
  breeder_.relearn(history);
  model_.relearn(history);
}

} // namespace coulomb::search
