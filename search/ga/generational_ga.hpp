// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/ga/breeder.hpp"
#include "search/strategy/ledger.hpp"

namespace coulomb::search {

/// A genetic search in generations: a whole brood is bred from the committed generations, then
/// evaluated, then the best of parents and children survive.
class GenerationalGa {
public:
  /// `first`, if any, becomes proposal 0; `brood` children (at least 1) a generation. `space` must
  /// outlive the search.
  GenerationalGa(const SearchSpace& space,
                 const GaSettings& settings,
                 std::uint64_t seed,
                 std::uint64_t brood,
                 std::optional<Point> first = std::nullopt);

  [[nodiscard]] std::uint64_t needs() const;
  [[nodiscard]] std::optional<Proposal> propose();
  void commit(const Individual& evaluated);

private:
  Ledger ledger_;
  Breeder breeder_;
  std::uint64_t seed_;
  std::uint64_t brood_;
  std::optional<Point> first_;
  std::vector<Individual> generation_; ///< evaluated members of the present one
};

} // namespace coulomb::search
