// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/simulation.hpp"
#include "sim/functional/executor.hpp"
#include "sim/functional/global_memory.hpp"

#include <cstdint>

namespace coulomb::worker {

/// Rung "functional": executes the grid, or its first `request.fidelity.ctas` CTAs, without time,
/// with the checks that `request.checks` names. Fills what the outcome says about it: CTAs,
/// instructions, findings; status ok. `resident_ctas`: CTAs that the chip holds at a time. Throws
/// Fate (deadlock) and KernelFault; what was found until then stays in the outcome.
void run_functional(const eval::SimRequest& request,
                    const functional::ExecutableKernel& kernel,
                    functional::GlobalMemory& memory,
                    std::uint32_t resident_ctas,
                    eval::SimOutcome& outcome);

} // namespace coulomb::worker
