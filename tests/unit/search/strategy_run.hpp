// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/driver/strategy_catalogue.hpp"
#include "search/space/search_space.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace coulomb::search {

/// What a strategy proposed, and what came of it.
struct StrategyRun {
  std::vector<Proposal> proposals;
  std::vector<Fitness> fitnesses;
  bool exhausted = false; ///< it had nothing more to propose

  [[nodiscard]] std::vector<Point> points() const {
    std::vector<Point> all;
    for (const Proposal& proposal : proposals) {
      all.push_back(proposal.point);
    }
    return all;
  }
};

using PointJudge = std::function<Fitness(Point)>;

/// Runs a strategy of the catalogue as the driver does: as many proposals are out as it allows.
inline StrategyRun run_strategy(const std::string& name,
                                const SearchSpace& space,
                                const StrategyStart& start,
                                std::uint64_t budget,
                                const PointJudge& judge) {
  Strategy strategy = find_strategy(name).make(space, start);
  StrategyRun run;
  std::uint64_t committed = 0;
  while (run.proposals.size() < budget && !run.exhausted) {
    for (; committed < strategy.needs(); ++committed) {
      const Proposal& p = run.proposals[committed];
      strategy.commit({p.id, p.point, run.fitnesses[committed]});
    }
    const auto proposal = strategy.propose();
    run.exhausted = !proposal;
    if (proposal) {
      run.proposals.push_back(*proposal);
      run.fitnesses.push_back(judge(proposal->point));
    }
  }
  return run;
}

/// The names of the catalogue, as test parameters.
inline std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (const StrategyEntry& entry : strategies()) {
    names.emplace_back(entry.name);
  }
  return names;
}

/// A strategy's name as the name of a test.
template <class Info>
std::string strategy_test_name(const Info& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

} // namespace coulomb::search
