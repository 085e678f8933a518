// SPDX-License-Identifier: Apache-2.0
#include "search/strategy/individual.hpp"

namespace coulomb::search {

bool ranks_before(const Individual& a, const Individual& b) {
  if (better(a.fitness, b.fitness)) {
    return true;
  }
  return !better(b.fitness, a.fitness) && a.id < b.id;
}

} // namespace coulomb::search
