// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/ga/operators.hpp"
#include "search/ga/seen_points.hpp"
#include "search/ga/settings.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coulomb::search {

/// A point that the search wants evaluated.
struct Proposal {
  std::uint64_t id = 0; ///< 0, 1, 2, ... over the whole search
  std::uint32_t generation = 0;
  Point point = 0;
  bool operator==(const Proposal&) const = default;
};

/// A generational genetic search over the valid points of a space.
///
/// No point is proposed twice: a child that is already known is mutated on, then replaced by an
/// unseen neighbour of an elite, then by an unseen random point. Every draw comes from a stream
/// named by (seed, purpose, candidate id), and a generation is bred from committed generations
/// only, so the proposals depend on nothing but the space, the settings, the seed and the
/// fitnesses.
class GeneticSearch {
public:
  /// `first` (for example the default configuration) becomes candidate 0. `space` must outlive the
  /// search.
  GeneticSearch(const SearchSpace& space,
                GaSettings settings,
                std::uint64_t seed,
                std::optional<Point> first = std::nullopt);

  /// The next generation, of at most `limit` proposals; empty if the space is exhausted (or `limit`
  /// is 0). Throws InternalError if the last generation was not committed.
  [[nodiscard]] std::vector<Proposal> propose(std::uint64_t limit);
  /// Fitnesses of the last generation, in the order of its proposals.
  void commit(const std::vector<Fitness>& fitnesses);

  /// The breeding individuals, best first.
  [[nodiscard]] const std::vector<Individual>& population() const { return population_; }
  [[nodiscard]] bool exhausted() const { return seen_.unseen() == 0; }
  /// Generations committed.
  [[nodiscard]] std::uint32_t generations() const { return generation_; }

private:
  [[nodiscard]] std::vector<Point> first_points(std::uint64_t count);
  [[nodiscard]] std::optional<Point> breed(std::uint64_t id);
  [[nodiscard]] Genes make_child(RandomStream& random) const;
  [[nodiscard]] std::optional<Point> unseen_neighbour_of_elite(RandomStream& random) const;
  void select_survivors();

  const SearchSpace& space_;
  GaSettings settings_;
  std::uint64_t seed_;
  std::optional<Point> first_;
  SeenPoints seen_;
  std::vector<Individual> population_;
  std::vector<Proposal> pending_;
  std::uint64_t next_id_ = 0;
  std::uint32_t generation_ = 0;
};

} // namespace coulomb::search
