// SPDX-License-Identifier: Apache-2.0
#include "search/store/search_merge.hpp"

#include "base/error.hpp"

#include <fmt/ranges.h>
#include <unordered_map>

namespace coulomb::search {
namespace {

/// `header` as if it had been recorded by the search of `first`.
SearchHeader aligned(SearchHeader header, const SearchHeader& first) {
  header.seed = first.seed;
  header.budget = first.budget;
  header.strategy = first.strategy;
  header.lookahead = first.lookahead;
  header.fence = first.fence;
  header.islands = first.islands;
  header.topology = first.topology;
  return header;
}

bool agree(const EvaluationRecord& a, const EvaluationRecord& b) {
  return a.status == b.status && a.time_ms == b.time_ms && a.cycles == b.cycles;
}

} // namespace

SearchRecords merge_searches(const std::vector<std::string>& dirs, MergeCounts& counts) {
  if (dirs.size() < 2) {
    throw UserError(fmt::format("search merge: found {} directories, needs 2 or more", dirs.size()),
                    "coulomb search merge DIR DIR... --out DIR");
  }
  SearchRecords merged;
  std::unordered_map<std::string, std::size_t> known; // configuration: position
  for (const std::string& dir : dirs) {
    const SearchRecords records = load_search(dir);
    if (&dir == &dirs.front()) {
      merged.header = records.header;
    }
    const auto different = differences(merged.header, aligned(records.header, merged.header));
    if (!different.empty()) {
      throw UserError(fmt::format("{} cannot be merged with {}:\n  {}", dir, dirs.front(),
                                  fmt::join(different, "\n  ")));
    }
    for (EvaluationRecord record : records.evaluations) {
      const auto [at, fresh] =
          known.try_emplace(record.configuration.key(), merged.evaluations.size());
      if (!fresh) {
        ++counts.repeated;
        counts.contradicting += agree(record, merged.evaluations[at->second]) ? 0U : 1U;
        continue;
      }
      record.id = merged.evaluations.size();
      record.same_as.reset();
      merged.evaluations.push_back(std::move(record));
    }
  }
  merged.header.schema = kStoreSchema;
  merged.header.budget = merged.evaluations.size();
  merged.header.strategy = "merged";
  link_equal_code(merged.evaluations);
  return merged;
}

} // namespace coulomb::search
