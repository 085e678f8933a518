// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/features.hpp"
#include "calibration/ladder/campaign.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace coulomb::calibration::synthetic {

/// A candidate whose only parameters are x and y; nothing is known of its features.
inline LadderCandidate
candidate(std::uint64_t id, std::int64_t x, double sim_ms, std::int64_t y = 0) {
  LadderCandidate c;
  c.id = id;
  c.query.board = "board";
  c.query.spec = "kernel";
  c.query.parameters = kernel::Configuration({{"x", x}, {"y", y}});
  c.query.features.assign(eval::feature_table().size(), std::numeric_limits<double>::quiet_NaN());
  c.sim_ms = sim_ms;
  return c;
}

inline std::int64_t x_of(const LadderCandidate& c) {
  return std::get<std::int64_t>(*c.configuration().find("x"));
}

inline SiliconRun ran(double ms) {
  SiliconRun run;
  run.ms = ms;
  return run;
}

} // namespace coulomb::calibration::synthetic
