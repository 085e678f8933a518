// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/counters.hpp"

#include <map>
#include <string>

namespace coulomb::timing::gpu {

/// Counters under NVIDIA's metric names (Nsight Compute, sm_80), as sums over the whole grid:
/// `scale` is CTAs of the grid over CTAs simulated. Ratios (`.ratio`, `.per_cycle_active`) are
/// fractions of the simulated part.
[[nodiscard]] std::map<std::string, double>
named_counters(const SmCounters& sm, const MemoryCounters& memory, double scale);

/// Share of each stall reason in all resident warp-cycles; the shares sum to 1 (empty if nothing
/// ran).
[[nodiscard]] std::map<std::string, double> stall_shares(const SmCounters& sm);

} // namespace coulomb::timing::gpu
