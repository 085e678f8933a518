// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/ga/breeder.hpp"

namespace coulomb::search {

/// When an evaluated child joins the population: at once, or with all of its generation.
enum class Replacement : std::uint8_t { steady_state, generational };

/// A genetic search. Steady-state: each child is bred from the population as the committed
/// evaluations left it. Generational: as many children as the lookahead allows are bred from the
/// same population, and the best of it and them survive.
class GeneticSearch {
public:
  /// `space` must outlive the search.
  GeneticSearch(const SearchSpace& space,
                const GaSettings& settings,
                const StrategyStart& start,
                Replacement replacement);

  [[nodiscard]] std::uint64_t needs() const;
  [[nodiscard]] std::optional<Proposal> propose();
  void commit(const Individual& evaluated);

private:
  Ledger ledger_;
  Breeder breeder_;
  std::uint64_t generation_size_; ///< 1: steady state
  std::vector<Individual> generation_;
};

} // namespace coulomb::search
