// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/ga/breeder.hpp"
#include "search/ga/topology.hpp"

namespace coulomb::search {

/// What steers a search on islands, beside what steers each island.
struct IslandSettings {
  std::uint64_t migration = 12; ///< evaluations of an island between two of its emigrations
  GaSettings ga{.population = 8, .initial = 8};
};

/// Populations that breed apart, in turn; now and then the best of each moves on as a copy along
/// the topology. None evaluates what another has: they share the book of seen points.
class IslandSearch {
public:
  /// `space` must outlive the search; `topology` has one vertex an island, at least one.
  IslandSearch(const SearchSpace& space,
               const IslandSettings& settings,
               const StrategyStart& start,
               std::shared_ptr<const Topology> topology);

  [[nodiscard]] std::uint64_t needs() const { return ledger_.needs(); }
  [[nodiscard]] std::optional<Proposal> propose();
  void commit(const Individual& evaluated);
  void relearn(std::span<const Individual> history);

  /// Best first.
  [[nodiscard]] const std::vector<Individual>& population(std::size_t island) const {
    return islands_[island].population();
  }

private:
  void take(const Individual& individual);

  Ledger ledger_;
  IslandSettings settings_;
  std::shared_ptr<const Topology> topology_;
  std::vector<Breeder> islands_;
};

} // namespace coulomb::search
