// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <string>

namespace coulomb::hw {

/// Why there are no counters.
enum class CounterObstacle : std::uint8_t {
  no_headers,       ///< Coulomb was built without the range profiler
  no_library,       ///< libcupti is not there, does not load, or is too old
  privileges,       ///< ERR_NVGPUCTRPERM
  unsupported_chip, ///< this CUPTI or this GPU has no range profiler
  virtualised,      ///< vGPU, WSL, confidential computing, MIG ... forbid it
  busy,             ///< another profiler holds the counters
  unknown_metrics,  ///< the chip has none of the metrics that were asked for
  failed,           ///< CUPTI says no more
};

/// Counters cannot be had; `hint()` is the fix. A measurement catches it, goes on with times only,
/// and says so.
class CounterProblem : public EnvironmentError {
public:
  CounterProblem(CounterObstacle obstacle, const std::string& message, const std::string& hint)
      : EnvironmentError(message, hint), obstacle_(obstacle) {}
  [[nodiscard]] CounterObstacle obstacle() const { return obstacle_; }

private:
  CounterObstacle obstacle_;
};

/// What a result code of CUPTI (CUptiResult) means for the user. `call`: the function that returned
/// it; `name`: CUPTI's word for it.
[[nodiscard]] CounterProblem
counter_problem_of(int code, const std::string& call, const std::string& name);

/// The problem of a build without CUPTI's headers.
[[nodiscard]] CounterProblem built_without_range_profiler();

} // namespace coulomb::hw
