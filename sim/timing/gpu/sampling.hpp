// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/types.hpp"

#include <cstdint>
#include <vector>

namespace coulomb::timing::gpu {

/// How much of a grid is simulated.
struct SamplingPlan {
  std::uint32_t sms = 1; ///< simulated
  std::uint64_t ctas_per_sm_limit = 0;
  std::uint64_t ctas_total = 0;
  double ctas_per_real_sm = 0.0; ///< of the whole grid
  std::uint32_t resident = 1;    ///< CTAs that an SM holds at a time
  bool whole_chip = false;
};

/// Simulated waves of a sampled SM: the first fills the machine, the last drains it, those between
/// give the rate.
inline constexpr std::uint32_t kSampledWaves = 4;

/// `sms` 0 or the chip's count means every SM and the whole grid. `waves` 0: kSampledWaves.
[[nodiscard]] SamplingPlan plan_sampling(const config::GpuConfig& gpu,
                                         std::uint64_t ctas,
                                         std::uint32_t resident,
                                         std::uint32_t sms,
                                         std::uint32_t waves);

/// Cycles of the whole grid from the completion times of the simulated CTAs of one SM: what was
/// simulated, plus the CTAs left out at the rate of the middle waves.
[[nodiscard]] double extrapolate_cycles(const SamplingPlan& plan,
                                        const std::vector<Cycle>& completions);

} // namespace coulomb::timing::gpu
