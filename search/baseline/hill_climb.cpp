// SPDX-License-Identifier: Apache-2.0
#include "search/baseline/hill_climb.hpp"

#include <utility>

namespace coulomb::search {

HillClimb::HillClimb(const SearchSpace& space,
                     std::uint64_t seed,
                     std::uint64_t lookahead,
                     std::optional<Point> first)
    : ledger_(space, lookahead), seed_(seed), first_(first) {}

std::optional<Proposal> HillClimb::propose() {
  if (ledger_.proposed() == 0 && first_) {
    return ledger_.propose(*first_, "first");
  }
  while (!ahead_.empty()) {
    const Point point = ahead_.back();
    ahead_.pop_back();
    if (!ledger_.seen().contains(point)) {
      return ledger_.propose(point, "neighbour");
    }
  }
  here_.reset();
  RandomStream random(seed_, "hill-climb.restart", ledger_.proposed());
  const auto point = ledger_.seen().draw_unseen(random);
  return point ? std::optional(ledger_.propose(*point, "random")) : std::nullopt;
}

void HillClimb::commit(const Individual& evaluated) {
  ledger_.commit(evaluated);
  if (!here_ || better(evaluated.fitness, here_->fitness)) {
    move_to(evaluated);
  }
}

void HillClimb::move_to(const Individual& individual) {
  here_ = individual;
  ahead_ = ledger_.space().neighbours(individual.point);
  RandomStream random(seed_, "hill-climb.order", individual.id);
  for (std::size_t i = ahead_.size(); i > 1; --i) {
    std::swap(ahead_[i - 1], ahead_[random.below(i)]);
  }
}

} // namespace coulomb::search
