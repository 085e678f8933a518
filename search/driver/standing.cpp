// SPDX-License-Identifier: Apache-2.0
#include "search/driver/standing.hpp"

#include <fmt/format.h>

namespace coulomb::search {

void Standing::add(const Fitness& fitness) {
  if (fitness.status != eval::EvalStatus::ok) {
    return;
  }
  if (!best_ || better(fitness, *best_)) {
    best_ = fitness;
  }
  if (scorer_->count() > 1) {
    front_.add(fitness.objectives);
  }
}

std::string Standing::text() const {
  if (!best_) {
    return "best none yet";
  }
  if (scorer_->count() == 1) {
    return "best " + scorer_->value_text(*best_, 0);
  }
  const auto volume = front_.hypervolume();
  return fmt::format("front of {}{}", front_.size(),
                     volume ? fmt::format(", hypervolume {:.3f}", *volume) : "");
}

} // namespace coulomb::search
