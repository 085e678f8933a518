// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/status.hpp"

#include <string>

namespace coulomb::worker {

/// Thrown inside the simulator to end a candidate with a status.
struct Fate {
  eval::EvalStatus status;
  std::string message;
};

} // namespace coulomb::worker
