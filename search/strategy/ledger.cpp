// SPDX-License-Identifier: Apache-2.0
#include "search/strategy/ledger.hpp"

#include "base/error.hpp"

namespace coulomb::search {

Ledger::Ledger(const SearchSpace& space, const StrategyStart& start)
    : space_(&space), start_(start), seen_(space.size()) {
  COULOMB_CHECK(start.lookahead > 0, "a search with a lookahead of 0 never proposes anything");
}

Proposal Ledger::enter(const Choice& choice) {
  COULOMB_CHECK(committed_ >= needs(), "proposal {} needs {} commitments; there are {}", proposed_,
                needs(), committed_);
  COULOMB_CHECK(seen_.add(choice.point), "point {} was proposed before", choice.point);
  return {proposed_++, choice.point, std::string(choice.origin)};
}

void Ledger::commit(const Individual& evaluated) {
  COULOMB_CHECK(evaluated.id == committed_ && committed_ < proposed_,
                "evaluation {} is committed; the next one is {} of {}", evaluated.id, committed_,
                proposed_);
  ++committed_;
}

} // namespace coulomb::search
