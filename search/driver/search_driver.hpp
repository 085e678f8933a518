// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/driver/progress.hpp"
#include "search/driver/standing.hpp"
#include "search/engine/evaluator.hpp"
#include "search/store/search_store.hpp"
#include "search/strategy/strategy.hpp"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace coulomb::search {

/// Where candidates go and their outcomes come from: an Evaluator, a recorded table, or a test.
struct Evaluations {
  std::function<void(const Candidate&)> submit;
  /// Whichever comes to its end first; nothing if the search was told to stop and the rest was
  /// dropped.
  std::function<std::optional<Evaluation>()> next;
};

/// What a search keeps of `evaluation`. An `ok` one whose time is not a positive finite number, or
/// one of whose objectives is no finite number, becomes `wrong_result`; counters that are not
/// finite are left out.
[[nodiscard]] EvaluationRecord
make_record(const Evaluation& evaluation, const std::string& origin, const Scorer& scorer);

/// Runs a search strategy to its budget. Evaluations that the store holds already are not done
/// again: the strategy sees them as if they had been, so that a continued search proposes what an
/// uninterrupted one would have.
class SearchDriver {
public:
  /// All references must outlive the driver; `stop` may be set by another thread.
  SearchDriver(const SearchSpace& space,
               SearchStore& store,
               Evaluations evaluations,
               Scorer scorer,
               const std::atomic<bool>& stop,
               Progress& progress);

  /// Spends `budget` evaluations, recorded ones included. Returns "budget", "exhausted" (every
  /// valid configuration was evaluated) or "signal" (`stop` was set). Throws UserError if the
  /// recorded evaluations are not those that the strategy leads to.
  std::string run(Strategy strategy, std::uint64_t budget);
  /// The same up to `until` evaluations of a search that may go on: nothing is left under way, so
  /// that what the next proposals know does not depend on the workers. Always with the same
  /// strategy.
  std::string advance(Strategy& strategy, std::uint64_t until);
  /// From now on the fitness of a record is multiplied by `factor`: something was learnt about the
  /// times. The strategy learns all outcomes so far anew. Between advance()s only.
  void correct(Strategy& strategy, std::function<double(const EvaluationRecord&)> factor);

private:
  void start(const Proposal& proposal);
  /// What became of a proposal that is out, or nothing if the search was stopped first. Whatever
  /// else finishes meanwhile is recorded at once, so that nothing that was evaluated can be lost.
  [[nodiscard]] const EvaluationRecord* finish(const Proposal& proposal);
  /// Commits the outcome of a proposal; where the objective changes as the budget is spent, it
  /// first lets the strategy learn all outcomes anew at the beginning of each of kStages stages.
  void commit(const Proposal& proposal, std::uint64_t budget, Strategy& strategy);
  [[nodiscard]] Individual individual(std::size_t index, double progress) const;
  /// The strategy learns all that is committed with other fitnesses.
  void relearn(Strategy& strategy, double progress);
  /// The record of a proposal, if the store holds one. Throws UserError if it is of another
  /// configuration.
  [[nodiscard]] const EvaluationRecord* recorded(const Proposal& proposal) const;

  const SearchSpace& space_;
  SearchStore& store_;
  Evaluations evaluations_;
  Scorer scorer_;
  Standing standing_;
  std::function<double(const EvaluationRecord&)> factor_; ///< of fitnesses; empty: 1
  std::vector<Proposal> committed_;
  const std::atomic<bool>& stop_;
  Progress& progress_;
  std::unordered_map<std::uint64_t, std::size_t> recorded_; ///< id: position in the store's records
  std::unordered_map<std::uint64_t, std::string> origins_;  ///< of what is being evaluated
};

} // namespace coulomb::search
