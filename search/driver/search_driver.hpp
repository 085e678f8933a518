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
#include <unordered_set>
#include <vector>

namespace coulomb::search {

/// Where candidates go and their outcomes come from: an Evaluator, a recorded table, or a test.
struct Evaluations {
  std::function<void(const Candidate&)> submit;
  /// Whichever comes to its end first; nothing if the search was told to stop and the rest was
  /// dropped.
  std::function<std::optional<Evaluation>()> next;
};

/// Where a search meets others that search the same space.
struct MigrantExchange {
  std::uint64_t interval = 12; ///< commitments between two meetings, at least 1
  std::size_t emigrants = 3;   ///< best evaluations that are offered at a meeting, at most
  /// Offers the best to the others, and returns what they offered. A continued search must be given
  /// at each number of commitments what it was given before.
  std::function<std::vector<EvaluationRecord>(std::uint64_t committed,
                                              const std::vector<EvaluationRecord>& best)>
      meet;
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

  /// Meets others from now on, if the strategy takes migrants. Before the first run() or advance().
  void exchange_with(MigrantExchange exchange) { exchange_ = std::move(exchange); }

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
  /// A point whose outcome the strategy knows: record_of(id).
  struct Known {
    std::uint64_t id = 0;
    Point point = 0;
  };

  void start(const Proposal& proposal);
  /// What became of a proposal that is out, or nothing if the search was stopped first. Whatever
  /// else finishes meanwhile is recorded at once, so that nothing that was evaluated can be lost.
  [[nodiscard]] const EvaluationRecord* finish(const Proposal& proposal);
  /// Commits the outcome of a proposal; where the objective changes as the budget is spent, it
  /// first lets the strategy learn all outcomes anew at the beginning of each of kStages stages.
  void commit(const Proposal& proposal, std::uint64_t budget, Strategy& strategy);
  [[nodiscard]] Individual individual(const Known& known, double progress) const;
  /// A meeting, if one is due.
  void migrate(Strategy& strategy, double progress);
  [[nodiscard]] const EvaluationRecord& record_of(std::uint64_t id) const;
  /// The strategy learns all that is committed or adopted with other fitnesses.
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
  std::vector<Known> known_; ///< committed or adopted, in the order in which they were
  std::uint64_t committed_ = 0;
  MigrantExchange exchange_;                 ///< without `meet`: none
  std::vector<EvaluationRecord> immigrants_; ///< id kFirstImmigrant + position
  std::unordered_set<Point> taken_;          ///< points that were proposed or adopted
  const std::atomic<bool>& stop_;
  Progress& progress_;
  std::unordered_map<std::uint64_t, std::size_t> recorded_; ///< id: position in the store's records
  std::unordered_map<std::uint64_t, std::string> origins_;  ///< of what is being evaluated
};

} // namespace coulomb::search
