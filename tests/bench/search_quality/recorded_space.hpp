// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/space/search_space.hpp"
#include "search/strategy/individual.hpp"

#include <string>
#include <vector>

namespace coulomb::bench {

/// A tuning space whose every configuration was measured.
struct RecordedSpace {
  std::string name; ///< of the table, below data/silicon
  search::SearchSpace space;
  std::vector<search::Fitness> fitness; ///< by point; the value is the mean of the launches in ms
  /// By point: seconds of the recorded compilation and launches; half a second of what failed.
  std::vector<double> seconds;
  std::vector<double> valid; ///< values of those that ran, ascending

  [[nodiscard]] double optimum() const { return valid.front(); }
  [[nodiscard]] double median() const { return valid[valid.size() / 2]; }
  [[nodiscard]] double worst() const { return valid.back(); }
};

/// Every row of the table, whatever its clocks were: the peers were measured on them, too.
[[nodiscard]] RecordedSpace load_recorded_space(const std::string& name);

} // namespace coulomb::bench
