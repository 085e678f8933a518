// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/driver/progress.hpp"
#include "search/engine/evaluator.hpp"
#include "search/ga/genetic_search.hpp"
#include "search/store/search_store.hpp"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::search {

/// Evaluates candidates and delivers them in their order; returns how many were delivered: fewer
/// than given only if it was cancelled. Evaluator::evaluate is one; tests have others.
using EvaluateBatch =
    std::function<std::size_t(const std::vector<Candidate>&, const Evaluator::Deliver&)>;

/// What a search keeps of `evaluation`. An `ok` one whose time is not a positive finite number
/// becomes `wrong_result`; counters that are not finite are left out.
[[nodiscard]] EvaluationRecord make_record(const Evaluation& evaluation, std::uint32_t generation);

/// What steers one search; all of it is recorded or follows from what is.
struct SearchPlan {
  std::uint64_t seed = 1;
  std::uint64_t budget = 200; ///< evaluations, at least 1
  GaSettings ga;
  std::optional<Point> first; ///< evaluated first: the default configuration
};

/// Runs a genetic search to its budget. Evaluations that the store holds already are not done
/// again: the search is bred anew from them, so that a continued search proposes what an
/// uninterrupted one would have.
class SearchDriver {
public:
  /// All references must outlive the driver; `stop` may be set by another thread.
  SearchDriver(const SearchSpace& space,
               SearchStore& store,
               EvaluateBatch evaluate,
               const std::atomic<bool>& stop,
               Progress& progress);

  /// Returns "budget", "exhausted" (every valid configuration was evaluated) or "signal" (`stop`
  /// was set). Throws UserError if the recorded evaluations are not those that the plan leads to.
  std::string run(const SearchPlan& plan);

private:
  /// Fitnesses of one generation; fewer than proposals if it was stopped.
  [[nodiscard]] std::vector<Fitness> evaluate(const std::vector<Proposal>& proposals);
  /// Fitness of a proposal that the store holds, or nothing.
  [[nodiscard]] std::optional<Fitness> recorded(const Proposal& proposal) const;

  const SearchSpace& space_;
  SearchStore& store_;
  EvaluateBatch evaluate_;
  const std::atomic<bool>& stop_;
  Progress& progress_;
  std::unordered_map<std::uint64_t, std::size_t> recorded_; ///< id: position in the store's records
};

} // namespace coulomb::search
