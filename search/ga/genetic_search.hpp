// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/ga/breeder.hpp"

namespace coulomb::search {

/// When an evaluated child joins the population: at once, or with all of its generation.
enum class Replacement : std::uint8_t { steady_state, generational };

/// A genetic search. Steady-state: each child is bred from the population as the committed
/// evaluations left it. Generational: as many children as the lookahead allows are bred from the
/// same population, and the best of it and them survive. A search that stagnates looks at all
/// neighbours of its best point, and begins anew after that.
class GeneticSearch {
public:
  /// `space` must outlive the search.
  GeneticSearch(const SearchSpace& space,
                const GaSettings& settings,
                const StrategyStart& start,
                Replacement replacement,
                Arrange arrange = arrange_by_fitness);

  [[nodiscard]] std::uint64_t needs() const;
  [[nodiscard]] std::optional<Proposal> propose();
  void commit(const Individual& evaluated);
  void relearn(std::span<const Individual> history);
  [[nodiscard]] std::vector<Individual> emigrants(std::size_t count) const {
    return breeder_.best(count);
  }
  void adopt(const Individual& immigrant);

private:
  [[nodiscard]] std::optional<Choice> choose();
  void take(const Individual& individual);

  Ledger ledger_;
  GaSettings settings_;
  Breeder breeder_;
  std::uint64_t generation_size_; ///< 1: steady state
  std::vector<Individual> generation_;
  std::uint64_t since_best_ = 0; ///< evaluations since the population's best was found
};

} // namespace coulomb::search
