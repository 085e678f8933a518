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
/// Short CTAs are sampled for longer, up to about as many warp instructions an SM: the fewer they
/// execute, the more chance there is in when they end.
inline constexpr double kSampledInstructions = 500'000.0;

/// `sms` 0 or the chip's count means every SM and the whole grid. `waves` 0: kSampledWaves or more,
/// by `instructions`, the warp instructions of one CTA (0: not known). What is left out of an SM's
/// share is whole waves, so that the last one is as full as the grid's.
[[nodiscard]] SamplingPlan plan_sampling(const config::GpuConfig& gpu,
                                         std::uint64_t ctas,
                                         std::uint32_t resident,
                                         std::uint32_t sms,
                                         std::uint32_t waves,
                                         double instructions = 0.0);

/// A simulated CTA is done.
struct Completion {
  Cycle at = 0;
  std::uint64_t instructions = 0; ///< warp instructions that its SM had issued by then
};

/// Cycles of the whole grid from the completions of the simulated CTAs of one SM, in order of time:
/// what was simulated, plus the CTAs left out at the rate at which a full SM issued instructions.
/// The rate is one of instructions and not of completions: the scheduler favours some CTAs, so how
/// many end in a stretch of time says little about how much was done in it.
[[nodiscard]] double extrapolate_cycles(const SamplingPlan& plan,
                                        const std::vector<Completion>& completions);

} // namespace coulomb::timing::gpu
