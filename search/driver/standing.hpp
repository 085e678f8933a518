// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/objective/scorer.hpp"
#include "search/pareto/hypervolume.hpp"

#include <optional>
#include <string>

namespace coulomb::search {

/// Where a search stands in terms of its objectives.
class Standing {
public:
  /// `scorer` must outlive it.
  explicit Standing(const Scorer& scorer) : scorer_(&scorer) {}

  /// Returns true if text() is another now.
  bool add(const Fitness& fitness);
  /// Forgets everything: the objective has changed.
  void clear() { best_.reset(); }
  /// "best 0.5531 ms", "front of 5, hypervolume 1.31", or "best none yet".
  [[nodiscard]] std::string text() const;

private:
  const Scorer* scorer_;
  std::optional<Fitness> best_;
  GrowingFront front_;
};

} // namespace coulomb::search
