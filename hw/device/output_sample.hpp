// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/measurement.hpp"
#include "hw/device/device_problem.hpp"

#include <cstdint>
#include <vector>

namespace coulomb::hw {

/// Elements of an output that are checked: all of a small one; of a large one 1,024 runs of 64,
/// spread evenly at random places, and both ends (an oracle works in double precision on one core;
/// a launch writes millions). Ascending; the same for the same count.
[[nodiscard]] std::vector<std::uint64_t> checked_elements(std::uint64_t count);

/// Compares the outputs of the launch that `problem` has just made with the request's files or
/// oracle. Throws CudaFailure, and UserError (unreadable file, missing parameter).
[[nodiscard]] eval::OutputCheck check_outputs(const eval::MeasureRequest& request,
                                              const DeviceProblem& problem);

} // namespace coulomb::hw
