// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/instruction_timing.hpp"

namespace coulomb::timing {

/// Interval and latency of a tensor instruction; DMMA goes to the FP64 unit where the SM has one. A
/// sparse instruction skips half of its FMAs, but takes as long to finish as a dense one of its
/// nominal shape (Luo et al., IPDPS 2024: 24.5 and 24.6; 8 warps with two mma.sp.m16n8k16 each
/// reach the rate of that latency). A dense one of fewer FMAs leaves out its passes.
/// Fills in what is particular to it: pipe, interval and latency in cycles, first registers of the
/// destination and of the accumulator.
void time_tensor(const isa::Instruction& inst,
                 const config::PipesConfig& pipes,
                 InstructionTiming& t);

} // namespace coulomb::timing
