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
                       std::uint64_t seed,
                       std::uint64_t lookahead,
                       std::optional<Point> first)
    : ledger_(space, lookahead), breeder_(space, settings.ga), model_(space, settings.model, seed),
      settings_(settings), seed_(seed), first_(first) {}

std::optional<Proposal> ScreenedGa::propose() {
  const auto child = ledger_.proposed() == 0 && first_ ? Child{*first_, "first"} : choose();
  if (!child) {
    return std::nullopt;
  }
  Proposal proposal = ledger_.propose(child->point, child->origin);
  model_.expect(child->point);
  return proposal;
}

std::optional<Child> ScreenedGa::choose() {
  RandomStream random(seed_, "ga.child", ledger_.proposed());
  if (ledger_.proposed() < settings_.initial || !model_.ready()) {
    const auto point = ledger_.seen().draw_unseen(random);
    return point ? std::optional(Child{*point, "random"}) : std::nullopt;
  }
  if (model_.due()) {
    model_.renew(candidates());
  }
  if (const auto point = model_.most_promising(ledger_.seen())) {
    return Child{*point, "model"};
  }
  return breeder_.breed(ledger_.seen(), random);
}

std::vector<Point> ScreenedGa::unseen_neighbours(Point point) const {
  std::vector<Point> unseen;
  for (const Point neighbour : ledger_.space().neighbours(point)) {
    if (!ledger_.seen().contains(neighbour)) {
      unseen.push_back(neighbour);
    }
  }
  return unseen;
}

std::vector<Point> ScreenedGa::candidates() const {
  const SearchSpace& space = ledger_.space();
  const SeenPoints& seen = ledger_.seen();
  std::vector<Point> points;
  if (space.size() <= settings_.candidates) {
    for (Point point = 0; point < space.size(); ++point) {
      if (!seen.contains(point)) {
        points.push_back(point);
      }
    }
    return points;
  }
  std::unordered_set<Point> known;
  const auto add = [&](Point point) {
    if (points.size() < settings_.candidates && !seen.contains(point) &&
        known.insert(point).second) {
      points.push_back(point);
    }
  };
  for (const Individual& elite : elites_) {
    for (const Point neighbour : space.neighbours(elite.point)) {
      add(neighbour);
    }
  }
  RandomStream random(seed_, "ga.candidates", ledger_.committed());
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
  const bool best = elites_.empty() || better(evaluated.fitness, elites_.front().fitness);
  elites_.insert(std::lower_bound(elites_.begin(), elites_.end(), evaluated, ranks_before),
                 evaluated);
  if (elites_.size() > settings_.elites) {
    elites_.pop_back();
  }
  if (best && ledger_.space().size() > settings_.candidates) {
    model_.watch(unseen_neighbours(evaluated.point));
  }
}

} // namespace coulomb::search
