// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/cluster/island_exchange.hpp"
#include "search/driver/search_driver.hpp"
#include "search/driver/strategy_catalogue.hpp"
#include "tests/unit/search/synthetic_records.hpp"
#include "tests/unit/search/synthetic_space.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>
#include <set>
#include <sstream>

namespace coulomb::search {

/// One session of a synthetic search with the whole of the driver and the store.
struct DrivenSearch {
  std::string strategy = "ga";
  std::uint64_t budget = 60;
  StrategyStart start = {.seed = 5, .lookahead = 4};
  ObjectiveSettings objectives = {};
  std::string shared = {}; ///< directory of the islands, of which the store is one; empty: alone
  /// Outcomes after which it is stopped as if Ctrl-C was pressed.
  std::size_t limit = std::numeric_limits<std::size_t>::max();
  std::function<Evaluation(const SearchSpace&, const Candidate&)> evaluate = synthetic_evaluation;

  /// Returns how it stopped. The newest candidate that is out comes to its end first, so that a
  /// search that is stopped leaves gaps.
  [[nodiscard]] std::string run(const SearchSpace& space, SearchStore store) const {
    std::atomic<bool> stop{false};
    std::size_t done = 0;
    std::deque<Candidate> out;
    const auto next = [&]() -> std::optional<Evaluation> {
      if (out.empty() || done == limit) {
        stop = true;
        return std::nullopt;
      }
      ++done;
      const Candidate candidate = out.back();
      out.pop_back();
      return evaluate(space, candidate);
    };
    std::ostringstream sink;
    Progress progress(sink, Progress::Style::lines, budget);
    store.begin_session(1, "test");
    SearchDriver driver(space, store,
                        {.submit = [&](const Candidate& c) { out.push_back(c); }, .next = next},
                        Scorer(objectives), stop, progress);
    std::optional<IslandExchange> exchange;
    if (!shared.empty()) {
      exchange.emplace(store, shared);
      driver.exchange_with(exchange->exchange());
    }
    const std::string stopped_by = driver.run(find_strategy(strategy).make(space, start), budget);
    store.end_session(stopped_by);
    return stopped_by;
  }
};

/// The evaluations without what depends on the clock.
inline std::vector<EvaluationRecord> without_times_of_day(const SearchRecords& records) {
  auto evaluations = records.evaluations;
  for (EvaluationRecord& e : evaluations) {
    e.finished.clear();
  }
  return evaluations;
}

} // namespace coulomb::search
