// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/counters.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace coulomb::timing::sm {

/// What the warps did at one instruction. A stall belongs to the instruction that the warp could
/// not issue yet, as in Nsight Compute's source view.
struct InstructionCounts {
  std::uint64_t issued = 0;                                ///< warp instructions
  std::array<std::uint64_t, kStallReasons> stall_cycles{}; ///< warp-cycles, the issuing ones too
};

/// Index = pc / 16; sized before the run, shared by the SMs of a simulation.
using InstructionProfile = std::vector<InstructionCounts>;

} // namespace coulomb::timing::sm
