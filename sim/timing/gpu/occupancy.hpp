// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "base/dim3.hpp"

#include <cstdint>
#include <string>

namespace coulomb::timing::gpu {

/// What one CTA takes of an SM.
struct CtaResources {
  std::uint32_t threads = 0;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t max_threads = 0; ///< of __launch_bounds__; 0 = none
};

struct OccupancyResult {
  std::string invalid; ///< why the launch would be refused; empty if it is legal
  std::uint32_t ctas_per_sm = 0;
  std::uint32_t warps_per_sm = 0;
  std::string limiter;              ///< "warps", "CTA slots", "registers", "shared memory", "grid"
  std::uint32_t carveout_bytes = 0; ///< shared memory that the driver sets aside
  std::uint32_t l1_bytes = 0;       ///< what is left for L1
};

/// CTAs of a kernel that one SM holds, in the order of evaluation of the occupancy calculator:
/// slots, registers (allocated per warp in units, per sub-core), shared memory (with the reserved
/// part, in granules). The carve-out is the smallest that holds the resident CTAs.
[[nodiscard]] OccupancyResult
occupancy(const config::GpuConfig& gpu, const CtaResources& cta, std::uint64_t grid_ctas);

} // namespace coulomb::timing::gpu
