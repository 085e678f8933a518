// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/functional/executor.hpp"
#include "sim/timing/gpu/work_profile.hpp"
#include "sim/timing/mem/reuse_estimate.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::timing::gpu {

/// Distinct 32-byte sectors that one CTA reads and writes, by allocation.
struct BufferFootprint {
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
  double read_sectors = 0.0; ///< mean over the probed CTAs
  double written_sectors = 0.0;
};

/// What one CTA does, from the mean of a few.
struct Footprint {
  std::vector<BufferFootprint> buffers;
  double instructions = 0.0; ///< warp instructions
  /// Of the stretches of memory that a DRAM row serves at a time (mem::stretch_lines), the part
  /// that the next CTA uses and not this one, mean: who opens a row is then as often another SM.
  double neighbour_share = 0.0;
};

/// Runs a few CTAs that work (spread over the grid) without time and counts what they touch. Stores
/// are undone. A CTA that faults or exceeds the limit counts with what it touched until then.
[[nodiscard]] Footprint probe_footprint(const config::GpuConfig& gpu,
                                        const functional::ExecutableKernel& kernel,
                                        functional::GlobalMemory& memory,
                                        const WorkProfile& work,
                                        std::uint64_t instruction_limit);

struct CacheOutlook {
  double neighbour_share = 0.0; ///< see Footprint
  mem::ReuseEstimate reuse;
  bool writes_reach_dram = true;
  bool fits_l2 = false; ///< all that the grid touches
};

/// See mem::ReuseEstimate. `cache_state`: one of eval::kCacheStates.
[[nodiscard]] CacheOutlook cache_outlook(const config::GpuConfig& gpu,
                                         const Footprint& footprint,
                                         std::uint64_t grid_ctas,
                                         bool whole_chip,
                                         const std::string& cache_state);

} // namespace coulomb::timing::gpu
