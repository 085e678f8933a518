// SPDX-License-Identifier: Apache-2.0
#include "search/store/search_merge.hpp"

#include "base/error.hpp"

#include <fmt/ranges.h>
#include <unordered_map>

namespace coulomb::search {
namespace {

bool agree(const EvaluationRecord& a, const EvaluationRecord& b) {
  return a.status == b.status && a.time_ms == b.time_ms && a.cycles == b.cycles;
}

} // namespace

SearchRecords merge_parts(const std::vector<SearchPart>& parts, MergeCounts& counts) {
  SearchRecords merged;
  merged.header = parts.front().records.header;
  std::unordered_map<std::string, std::size_t> known; // configuration: position
  for (const SearchPart& part : parts) {
    const auto different =
        differences(common_part(merged.header), common_part(part.records.header));
    if (!different.empty()) {
      throw UserError(fmt::format("{} cannot be merged with {}:\n  {}", part.dir, parts.front().dir,
                                  fmt::join(different, "\n  ")));
    }
    for (EvaluationRecord record : part.records.evaluations) {
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
  link_equal_code(merged.evaluations);
  return merged;
}

SearchRecords merge_searches(const std::vector<std::string>& dirs, MergeCounts& counts) {
  if (dirs.size() < 2) {
    throw UserError(fmt::format("search merge: found {} directories, needs 2 or more", dirs.size()),
                    "coulomb search merge DIR DIR... --out DIR");
  }
  std::vector<SearchPart> parts;
  for (const std::string& dir : dirs) {
    parts.push_back({dir, load_search(dir)});
  }
  SearchRecords merged = merge_parts(parts, counts);
  merged.header.schema = kStoreSchema;
  merged.header.budget = merged.evaluations.size();
  merged.header.strategy = "merged";
  merged.header.island.reset();
  return merged;
}

} // namespace coulomb::search
