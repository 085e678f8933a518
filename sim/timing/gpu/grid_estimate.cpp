// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/gpu/grid_estimate.hpp"

#include <algorithm>

namespace coulomb::timing::gpu {

GridEstimate estimate_grid(const config::GpuConfig& gpu,
                           const SamplingPlan& plan,
                           const WorkProfile& work,
                           const BlockDispatcher& dispatcher,
                           const SampleMeasures& measures) {
  const auto simulated = static_cast<double>(std::max<std::uint64_t>(1, dispatcher.completed()));
  const double each = static_cast<double>(measures.warp_instructions) / simulated;
  const double alike = work.instructions > 0.0 && each > 0.0 ? work.instructions / each : 1.0;
  SamplingPlan by_work = plan;
  by_work.ctas_per_real_sm *= alike;
  double cycles = 0.0;
  for (std::uint32_t sm = 0; sm < plan.sms; ++sm) {
    cycles = std::max(cycles, extrapolate_cycles(by_work, dispatcher.completions(sm)));
  }
  cycles += static_cast<double>(measures.drain);
  const auto start = static_cast<double>(gpu.kernel_start_cycles);
  if (!plan.whole_chip) {
    // A few waves hide in buffers what the whole grid must move: never faster than the data buses.
    const double per_sm = std::max(1.0, static_cast<double>(dispatcher.completed()) / plan.sms);
    cycles = std::max(cycles, start + measures.dram_busy * by_work.ctas_per_real_sm / per_sm);
  }
  if (work.idle > 0) { // CTAs that leave at once cost their turn in the launcher
    cycles = std::max(cycles,
                      start + static_cast<double>(work.ctas + work.idle) * gpu.cta_launch_interval);
  }
  return {cycles, static_cast<double>(work.ctas) * alike / simulated};
}

} // namespace coulomb::timing::gpu
