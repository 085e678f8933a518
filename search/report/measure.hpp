// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/objective/ranking.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace coulomb::search {

/// One objective of a search as its page shows it, by position in the records.
struct Measure {
  std::string name; ///< "time", or the objective as it was written
  std::string unit; ///< of `values`: ns, us, ms or s of a time; may be empty
  /// In the objective's own sense; of evaluations of status ok, the others' are 0.
  std::vector<double> values;
  bool maximised = false;
  std::vector<double> costs; ///< the same order with a sign that makes smaller better

  /// "time [us]".
  [[nodiscard]] std::string title() const;
  /// "553.1 us", or "registers 32" where there is no unit.
  [[nodiscard]] std::string text(std::size_t position) const;
};

/// Objective `index` of a search.
[[nodiscard]] Measure
measure_of(const SearchRecords& records, const Ranking& ranking, std::size_t index = 0);

} // namespace coulomb::search
