// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/features.hpp"
#include "base/random.hpp"
#include "calibration/gap/gap_model.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace coulomb::calibration::synthetic {

inline std::size_t position(std::string_view feature) {
  const auto table = eval::feature_table();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == feature) {
      return i;
    }
  }
  ADD_FAILURE() << "no feature " << feature;
  return 0;
}

/// The law that the synthetic simulator gets wrong: waits for memory cost more than it says,
/// bank conflicts less.
inline double law(const Observation& o) {
  return 0.1 + 0.4 * o.features[position("stall_long_scoreboard_share")] -
         0.3 * o.features[position("bank_conflict_share")];
}

/// n observations whose log_ratio is `gap` and measurement noise of the given deviation. Two
/// features matter to law(), a third varies, all others are unknown.
inline std::vector<Observation> observations(std::size_t n,
                                             const std::string& board,
                                             const std::string& spec,
                                             const std::function<double(const Observation&)>& gap,
                                             double noise = 0.0) {
  RandomStream random(7, board + spec);
  std::vector<Observation> all;
  for (std::size_t i = 0; i < n; ++i) {
    Observation o;
    o.board = board;
    o.spec = spec;
    o.row = i;
    o.parameters =
        kernel::Configuration({{"block", std::int64_t{1} << random.below(9)},
                               {"tile", static_cast<std::int64_t>(1 + random.below(8))},
                               {"order", std::string(random.chance(0.5) ? "row" : "column")},
                               {"index", static_cast<std::int64_t>(i)}});
    o.features.assign(eval::feature_table().size(), std::numeric_limits<double>::quiet_NaN());
    for (const char* name :
         {"stall_long_scoreboard_share", "bank_conflict_share", "achieved_occupancy"}) {
      o.features[position(name)] = random.uniform();
    }
    o.sim_ms = 1.0 + random.uniform();
    o.silicon_noise = noise;
    o.silicon_ms = o.sim_ms * std::exp(gap(o) + noise * random.normal());
    all.push_back(std::move(o));
  }
  return all;
}

inline std::vector<GapQuery> queries(const std::vector<Observation>& observations) {
  std::vector<GapQuery> all;
  for (const Observation& o : observations) {
    all.push_back(query_of(o));
  }
  return all;
}

/// Root mean square of log_ratio's error.
inline double error(const GapModel& model, const std::vector<Observation>& asked) {
  const auto predictions = model.predict(queries(asked));
  double sum = 0.0;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    sum += std::pow(predictions[i].log_ratio - asked[i].log_ratio(), 2);
  }
  return std::sqrt(sum / static_cast<double>(asked.size()));
}

} // namespace coulomb::calibration::synthetic
