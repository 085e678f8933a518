// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/ga/arrangement.hpp"
#include "search/ga/operator_bandit.hpp"
#include "search/ga/operators.hpp"
#include "search/ga/settings.hpp"
#include "search/strategy/fence.hpp"
#include "search/strategy/ledger.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace coulomb::search {

/// A population and what it breeds: every child is a valid point, made so by its operator, and
/// unseen.
class Breeder {
public:
  /// `space` must outlive the breeder.
  Breeder(const SearchSpace& space,
          const GaSettings& settings,
          Arrange arrange = arrange_by_fitness);

  /// A child of the present population, an unseen point near its best ones if its own operator
  /// knows no unseen one, or a random unseen point; nothing if there is none. The operator earns
  /// its credit when the child's fitness is committed.
  [[nodiscard]] std::optional<Choice> breed(const SeenPoints& seen, RandomStream& random);
  /// One attempt with a randomly drawn operator, seen or not; nothing before there are parents.
  [[nodiscard]] std::optional<Point> attempt(RandomStream& random) const;
  /// An unseen neighbour of one of the `elites` best; nothing if all were seen.
  [[nodiscard]] std::optional<Point>
  unseen_neighbour(std::size_t elites, const SeenPoints& seen, RandomStream& random) const;
  /// Adds an evaluated point, of this breeder's making or not; one that lives in the population
  /// already changes nothing.
  void commit(const Individual& individual);
  /// Forgets the population, not what the operators earned.
  void restart() { population_.clear(); }
  /// The same and lives through `history`, whose fitnesses have changed.
  void relearn(std::span<const Individual> history);

  /// The first of the population, at most `count`.
  [[nodiscard]] std::vector<Individual> best(std::size_t count) const;
  /// Best first.
  [[nodiscard]] const std::vector<Individual>& population() const { return population_; }
  /// Share of each operator, in the order of operator_names().
  [[nodiscard]] std::vector<double> shares() const;
  [[nodiscard]] static std::vector<std::string_view> operator_names();

private:
  struct Child {
    Point parent = 0; ///< whose fence it stays in
    Point point = 0;
  };
  [[nodiscard]] std::optional<Child> apply(std::size_t op, RandomStream& random) const;
  /// Changes genes of `point`, never leaving the fence around `parent`.
  [[nodiscard]] Point mutate(Point parent, Point point, std::size_t op, RandomStream& random) const;
  /// Returns the individual's place, or nothing if it has none.
  std::optional<std::size_t> admit(const Individual& individual);

  const SearchSpace* space_;
  GaSettings settings_;
  Arrange arrange_;
  Fence fence_;
  OperatorBandit bandit_;
  std::vector<Individual> population_;
  std::unordered_map<Point, std::size_t> made_by_; ///< children that are out: their operator
};

} // namespace coulomb::search
