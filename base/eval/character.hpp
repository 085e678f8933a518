// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "base/eval/simulation.hpp"

#include <string>
#include <vector>

namespace coulomb::eval {

/// How busy one part of the chip was during a kernel.
struct Utilization {
  std::string part;  ///< "DRAM", "L2", "L1", "shared memory", "FP32 pipe", ...
  double busy = 0.0; ///< share of the kernel's cycles, 1 = its peak rate throughout
};

/// The utilization that makes a part the limiter of a kernel. Below it everywhere, latency or
/// occupancy limits: the rule of Nsight Compute's "GPU Speed Of Light" section.
inline constexpr double kLimitingUtilization = 0.6;

/// What kind of kernel a run was, as far as it decides how well it is modelled.
struct Character {
  std::string limiter = "latency"; ///< the busiest part, if it is busy enough; else "latency"
  double utilization = 0.0;        ///< of the busiest part
  bool local_memory = false;       ///< it spills, or indexes arrays of a thread

  /// "DRAM-bound", "latency-bound, with local memory".
  [[nodiscard]] std::string text() const;
};

/// Every part, from counters of the whole grid over what `gpu` can do in the kernel's cycles. All 0
/// if the kernel was not timed.
[[nodiscard]] std::vector<Utilization> utilizations(const SimOutcome& outcome,
                                                    const config::GpuConfig& gpu);

/// Busy share of the busiest part but DRAM, at most 1: what bounds the kernel where DRAM does not.
[[nodiscard]] double core_utilization(const SimOutcome& outcome, const config::GpuConfig& gpu);

[[nodiscard]] Character character_of(const SimOutcome& outcome, const config::GpuConfig& gpu);

} // namespace coulomb::eval
