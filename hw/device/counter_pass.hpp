// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/measurement.hpp"
#include "hw/device/device_problem.hpp"

namespace coulomb::hw {

/// Collects the request's CUPTI metrics by replaying the kernel, its buffers restored before each
/// pass. Where that cannot be, the outcome has a note that says why and what to do: times stay
/// good without counters. Throws CudaFailure if the kernel itself fails.
void collect_counters(const Driver& driver,
                      const DeviceInfo& info,
                      const Context& context,
                      const eval::MeasureRequest& request,
                      const DeviceProblem& problem,
                      eval::MeasureOutcome& outcome);

} // namespace coulomb::hw
