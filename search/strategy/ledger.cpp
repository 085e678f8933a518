// SPDX-License-Identifier: Apache-2.0
#include "search/strategy/ledger.hpp"

#include "base/error.hpp"

namespace coulomb::search {

Ledger::Ledger(const SearchSpace& space, std::uint64_t lookahead)
    : space_(&space), lookahead_(lookahead), seen_(space.size()) {
  COULOMB_CHECK(lookahead > 0, "a search with a lookahead of 0 never proposes anything");
}

Proposal Ledger::propose(Point point, std::string_view origin) {
  COULOMB_CHECK(committed_ >= needs(), "proposal {} needs {} commitments; there are {}", proposed_,
                needs(), committed_);
  COULOMB_CHECK(seen_.add(point), "point {} was proposed before", point);
  return {proposed_++, point, std::string(origin)};
}

void Ledger::commit(const Individual& evaluated) {
  COULOMB_CHECK(evaluated.id == committed_ && committed_ < proposed_,
                "evaluation {} is committed; the next one is {} of {}", evaluated.id, committed_,
                proposed_);
  ++committed_;
}

} // namespace coulomb::search
