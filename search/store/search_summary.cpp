// SPDX-License-Identifier: Apache-2.0
#include "search/store/search_summary.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>

namespace coulomb::search {

SearchSummary summarise(std::span<const EvaluationRecord> evaluations) {
  SearchSummary summary;
  std::unordered_set<std::string> configurations;
  for (const auto& e : evaluations) {
    ++summary.evaluations;
    configurations.insert(e.configuration.key());
    summary.simulations += e.sim_s > 0.0 && !e.same_as ? 1 : 0;
    ++summary.origins[e.origin];
    auto& status = summary.statuses[static_cast<std::size_t>(e.status)];
    ++status.count;
    if (!e.message.empty()) {
      status.last_message = e.message;
    }
    summary.compile_s += e.compile_s;
    summary.sim_s += e.sim_s;
  }
  summary.unique = configurations.size();
  if (const auto best = fastest(evaluations, 1); !best.empty()) {
    summary.best = best.front();
  }
  return summary;
}

std::vector<std::size_t> fastest(std::span<const EvaluationRecord> evaluations, std::size_t count) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    if (evaluations[i].status == eval::EvalStatus::ok) {
      positions.push_back(i);
    }
  }
  std::sort(positions.begin(), positions.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(evaluations[a].time_ms, evaluations[a].id) <
           std::tie(evaluations[b].time_ms, evaluations[b].id);
  });
  positions.resize(std::min(count, positions.size()));
  return positions;
}

} // namespace coulomb::search
