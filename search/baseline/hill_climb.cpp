// SPDX-License-Identifier: Apache-2.0
#include "search/baseline/hill_climb.hpp"

#include <utility>

namespace coulomb::search {

std::optional<Proposal> HillClimb::propose() {
  return ledger_.propose([&] { return choose(); });
}

std::optional<Choice> HillClimb::choose() {
  while (!ahead_.empty()) {
    const Point point = ahead_.back();
    ahead_.pop_back();
    if (!ledger_.seen().contains(point)) {
      return Choice{point, "neighbour"};
    }
  }
  here_.reset();
  RandomStream random = ledger_.random("hill-climb.restart");
  const auto point = ledger_.seen().draw_unseen(random);
  return point ? std::optional(Choice{*point, "random"}) : std::nullopt;
}

void HillClimb::commit(const Individual& evaluated) {
  ledger_.commit(evaluated);
  if (!here_ || better(evaluated.fitness, here_->fitness)) {
    move_to(evaluated);
  }
}

void HillClimb::relearn(std::span<const Individual> history) {
  if (here_) {
    here_ = history[here_->id];
  }
}

void HillClimb::move_to(const Individual& individual) {
  here_ = individual;
  ahead_ = ledger_.space().neighbours(individual.point);
  std::erase_if(ahead_, [&](Point point) { return !fence_.allows(individual.point, point); });
  RandomStream random = ledger_.random("hill-climb.order", individual.id);
  for (std::size_t i = ahead_.size(); i > 1; --i) {
    std::swap(ahead_[i - 1], ahead_[random.below(i)]);
  }
}

} // namespace coulomb::search
