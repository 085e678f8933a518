// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/ga/breeder.hpp"
#include "search/strategy/ledger.hpp"
#include "search/surrogate/outcome_model.hpp"

namespace coulomb::search {

/// What steers a screened genetic search; as GaSettings, it depends on nothing.
struct ScreenSettings {
  std::uint64_t initial = 5;     ///< random points before the model is asked
  std::size_t candidates = 1024; ///< unseen points that the model looks at, beside new neighbours
  std::size_t elites = 8;        ///< best of the population, whose neighbours are all among them
  std::size_t bred = 512;        ///< children of the genetic operators among them, at most
  GaSettings ga;
  ModelSettings model;
  bool operator==(const ScreenSettings&) const = default;
};

/// A steady-state genetic search in which a model of the outcomes so far screens the children: many
/// are bred (neighbours of the best, crossovers, mutations, random immigrants), and the one that
/// promises most is evaluated.
class ScreenedGa {
public:
  /// `space` must outlive the search.
  ScreenedGa(const SearchSpace& space, const ScreenSettings& settings, const StrategyStart& start);

  [[nodiscard]] std::uint64_t needs() const { return ledger_.needs(); }
  [[nodiscard]] std::optional<Proposal> propose();
  void commit(const Individual& evaluated);
  void relearn(std::span<const Individual> history);
  [[nodiscard]] std::vector<Individual> emigrants(std::size_t count) const {
    return breeder_.best(count);
  }
  void adopt(const Individual& immigrant);

private:
  [[nodiscard]] std::optional<Choice> choose();
  /// Unseen neighbours of `latest` become candidates if it is the best so far.
  void watch_around(const Individual& latest);
  [[nodiscard]] std::vector<Point> candidates() const;
  [[nodiscard]] std::vector<Point> unseen_neighbours(Point point) const;
  /// Some member of the population may have it as a child.
  [[nodiscard]] bool within_fence(Point point) const;

  Ledger ledger_;
  Breeder breeder_;
  OutcomeModel model_;
  ScreenSettings settings_;
  Fence fence_;
};

} // namespace coulomb::search
