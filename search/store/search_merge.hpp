// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/store/search_store.hpp"

#include <string>
#include <vector>

namespace coulomb::search {

/// What a merge found beside the records.
struct MergeCounts {
  std::uint64_t repeated = 0; ///< evaluations of a configuration that an earlier directory has, too
  /// Of those, the ones with another outcome: different compilers or builds, so a hint of trouble.
  std::uint64_t contradicting = 0;
};

/// The records of a search, and the directory they are from.
struct SearchPart {
  std::string dir;
  SearchRecords records;
};

/// The evaluations of several searches as one: of each configuration the first, in the order of
/// `parts` and of ids, numbered anew; the header is that of the first. The searches may differ in
/// seed, budget, strategy and command. Throws UserError if they are not of the same kernel, GPU,
/// fidelity and objectives: then the text names every difference. At least one part.
[[nodiscard]] SearchRecords merge_parts(const std::vector<SearchPart>& parts, MergeCounts& counts);

/// The same of directories, as one finished search. Throws UserError, too, if there are fewer than
/// two, or one is no search.
[[nodiscard]] SearchRecords merge_searches(const std::vector<std::string>& dirs,
                                           MergeCounts& counts);

} // namespace coulomb::search
