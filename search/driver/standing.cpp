// SPDX-License-Identifier: Apache-2.0
#include "search/driver/standing.hpp"

#include <fmt/format.h>

namespace coulomb::search {

bool Standing::add(const Fitness& fitness) {
  if (fitness.status != eval::EvalStatus::ok) {
    return false;
  }
  bool changed = !best_ || better(fitness, *best_);
  if (changed) {
    best_ = fitness;
  }
  if (scorer_->count() > 1) {
    changed = front_.add(fitness.objectives);
  }
  return changed;
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
