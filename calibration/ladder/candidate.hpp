// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/gap/gap_points.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::calibration {

/// What a rung above the first one found out about a candidate.
struct RungOutcome {
  /// Why it does not go on: it failed here. Empty: it does.
  std::string problem;
  /// log(time here / time on the first rung).
  double log_factor = 0.0;
  /// Standard deviation of log(time) that this rung leaves open for this candidate alone; what
  /// moves all candidates alike is not in it.
  double deviation = 0.0;
};

/// A configuration on its way to silicon.
struct LadderCandidate {
  std::uint64_t id = 0; ///< of the search
  GapQuery query;       ///< board, kernel, parameters, features of its simulation
  double sim_ms = 0.0;  ///< on the first rung; above 0
  /// Equal ones are the same machine code under the same launch: one of them is measured.
  std::string code;
  std::vector<std::optional<RungOutcome>>
      rungs; ///< by rung above the first; nothing: not yet there

  [[nodiscard]] const kernel::Configuration& configuration() const { return query.parameters; }
};

/// What silicon said of a candidate.
struct SiliconRun {
  std::uint64_t id = 0;     ///< of the candidate
  std::string problem;      ///< it failed: why. Empty: it ran
  double ms = 0.0;          ///< meaningful if it ran
  double noise = 0.0;       ///< relative standard error of ms; 0: not known
  double expected_ms = 0.0; ///< before it was measured
};

} // namespace coulomb::calibration
