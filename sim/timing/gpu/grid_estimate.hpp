// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/gpu/block_dispatcher.hpp"
#include "sim/timing/gpu/sampling.hpp"
#include "sim/timing/gpu/work_profile.hpp"
#include "sim/timing/types.hpp"

#include <cstdint>

namespace coulomb::timing::gpu {

/// What the simulated SMs measured beside the completions of their CTAs.
struct SampleMeasures {
  std::uint64_t warp_instructions = 0;
  Cycle drain = 0;        ///< from the last completion until the last store was in L2
  double dram_busy = 0.0; ///< cycles that the data bus of a DRAM channel was taken, mean
};

/// The whole grid, from the simulated part of it (ADR 0004).
struct GridEstimate {
  double cycles = 0.0;
  double scale = 1.0; ///< of counts: the grid's work over the simulated
};

/// CTAs left out are added at the rate of the sample and by their work: where `work` saw CTAs that
/// differ, those at the edge of the problem count as the part of a simulated one that they do.
[[nodiscard]] GridEstimate estimate_grid(const config::GpuConfig& gpu,
                                         const SamplingPlan& plan,
                                         const WorkProfile& work,
                                         const BlockDispatcher& dispatcher,
                                         const SampleMeasures& measures);

} // namespace coulomb::timing::gpu
