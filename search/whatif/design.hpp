// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "search/engine/evaluator.hpp"
#include "search/whatif/study.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coulomb::search {

/// The GPU of a design, with the study's limits as those of its board. Throws UserError, with all
/// reasons, if there can be no such GPU.
[[nodiscard]] config::GpuConfig design_gpu(const config::GpuConfig& baseline,
                                           const StudyLimits& limits,
                                           const kernel::Configuration& genes);

/// Why the design is not built, without simulating anything: its area; or nothing.
[[nodiscard]] std::optional<std::string> over_area(const config::GpuConfig& design,
                                                   const StudyLimits& limits);

/// One number that a design has for each kernel, "KERNEL:time_ms".
[[nodiscard]] std::string kernel_metric(const std::string& kernel, const std::string& name);

/// A design's evaluation out of its kernels', in the study's order. `time_ms`, `cycles` and
/// `model__energy.sum` are means weighted by the study, geometric because kernels differ in length;
/// power and temperature are the highest of any kernel; each kernel runs at the clock that the
/// board's limits leave it. Of each kernel the counters hold kernel_metric()s: time_ms, power_w,
/// energy_mj, temperature_c, sm_clock_mhz, and "busy.PART" for each part of eval::utilizations().
/// The first kernel that is not ok gives the design its status.
[[nodiscard]] Evaluation combine_kernels(const Study& study,
                                         const config::GpuConfig& design,
                                         const std::vector<Evaluation>& kernels);

} // namespace coulomb::search
