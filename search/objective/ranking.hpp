// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/objective/scorer.hpp"
#include "search/pareto/dominance.hpp"
#include "search/store/search_store.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace coulomb::search {

/// The recorded evaluations of a search in terms of its objectives, at the end of its budget.
class Ranking {
public:
  /// `records` must outlive it, and be in the order of ids.
  explicit Ranking(const SearchRecords& records);

  [[nodiscard]] const Scorer& scorer() const { return scorer_; }
  /// By position in the records.
  [[nodiscard]] const std::vector<Fitness>& fitnesses() const { return fitnesses_; }
  /// Positions of the `count` best ok evaluations, best first, equals by id. Of several objectives
  /// those on the front come first, by their first objective.
  [[nodiscard]] std::vector<std::size_t> best(std::size_t count) const;
  /// Positions of the other ok evaluations that are exactly as good as this one.
  [[nodiscard]] std::vector<std::size_t> ties(std::size_t position) const;
  /// Positions of the ok evaluations that no other dominates, by the first objective.
  [[nodiscard]] std::vector<std::size_t> front() const;
  /// Of the front, in the units of GrowingFront; nothing below its first candidates.
  [[nodiscard]] std::optional<double> hypervolume() const;
  /// "0.5531 ms", or one text per objective.
  [[nodiscard]] std::string text(std::size_t position) const;

private:
  /// The ok evaluations.
  struct Ran {
    std::vector<std::size_t> positions;
    std::vector<Objectives> values;
  };
  [[nodiscard]] Ran ran() const;

  Scorer scorer_;
  std::vector<Fitness> fitnesses_;
};

} // namespace coulomb::search
