// SPDX-License-Identifier: Apache-2.0
#include "search/store/search_summary.hpp"

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
      if (status.first_message.empty()) {
        status.first_message = e.message;
      }
      status.last_message = e.message;
    }
    summary.compile_s += e.compile_s;
    summary.sim_s += e.sim_s;
  }
  summary.unique = configurations.size();
  return summary;
}

} // namespace coulomb::search
