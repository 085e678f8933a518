// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/store/search_store.hpp"

#include <string>
#include <vector>

namespace coulomb::search {

/// The values that some evaluations gave one parameter.
struct ParameterLevels {
  std::string name;
  std::vector<kernel::ParameterValue> values; ///< all different; rising, if they are numbers
  std::vector<std::size_t> level;             ///< of each evaluation: where its value is in them
};

/// Positions of the evaluations of status ok, by id; of equal configurations only the first.
[[nodiscard]] std::vector<std::size_t> measured(const SearchRecords& records);
/// Every parameter, in the spec's order, over the evaluations at `positions`.
[[nodiscard]] std::vector<ParameterLevels>
parameter_levels(const SearchRecords& records, const std::vector<std::size_t>& positions);

} // namespace coulomb::search
