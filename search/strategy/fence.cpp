// SPDX-License-Identifier: Apache-2.0
#include "search/strategy/fence.hpp"

namespace coulomb::search {

bool Fence::allows(Point parent, Point child) const {
  if (open()) {
    return true;
  }
  const Genes from = space_->genes(parent);
  const Genes to = space_->genes(child);
  std::size_t sum = 0;
  for (const std::size_t d : space_->active()) {
    sum += distance(space_->dimensions()[d], from[d], to[d]);
  }
  return sum <= *steps_;
}

} // namespace coulomb::search
