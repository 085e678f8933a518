// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "base/eval/measurement.hpp"
#include "base/eval/simulation.hpp"

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::eval {

/// One number of the vector that describes an evaluation:
///   value = scale * sum(over) / sum(under)          (no `under`: nothing is divided)
/// The terms name inputs: a counter by its metric, "stall.REASON", "launch.NAME" or "code.NAME".
struct Feature {
  std::string_view name; ///< snake case
  std::string_view unit;
  std::string_view group;
  std::array<std::string_view, 4> over;  ///< at least one; the others may be empty
  std::array<std::string_view, 3> under; ///< may be empty
  double scale = 1.0;
  std::string_view definition;
};

/// All features, in the order of the vector. docs/features.md shows the same table.
[[nodiscard]] std::span<const Feature> feature_table();
/// Text of docs/features.md.
[[nodiscard]] std::string features_document();

/// What features are computed from. What is not known is not in the maps.
struct FeatureInputs {
  std::map<std::string, double> counters; ///< under the simulator's names (docs/counters.md)
  /// Stall reason: share of warp-cycles. Reasons that are not here are taken from the counters
  /// smsp__warps_issue_stalled_REASON.sum over sm__warps_active.sum.
  std::map<std::string, double> stalls;
  std::map<std::string, double> launch;   ///< launch_numbers(), "time_ms", device_numbers()
  std::map<std::string, double> code_mix; ///< isa::code_mix()
};

/// The vector, in the order of feature_table(). NaN stands for "unknown": an input is missing or
/// no number, or what is divided by is 0 (a hit rate without an access). Never 0 for want of
/// knowledge.
[[nodiscard]] std::vector<double> features(const FeatureInputs& inputs);

/// Launch and resources of a simulated kernel: grid_x, block_x, ctas, threads_per_cta, registers,
/// static_shared_bytes, ctas_per_sm and so on. Empty if the kernel was not simulated.
[[nodiscard]] std::map<std::string, double> launch_numbers(const kernel::Launch& launch,
                                                           const SimOutcome& outcome);
/// The same of a measured kernel; empty if it was not measured.
[[nodiscard]] std::map<std::string, double> launch_numbers(const kernel::Launch& launch,
                                                           const MeasureOutcome& outcome);
/// Limits of a GPU: sms, max_warps_per_sm.
[[nodiscard]] std::map<std::string, double> device_numbers(const config::GpuConfig& gpu);

/// Features of a simulation, and of a measurement. A measurement has its counters under CUPTI's
/// names: `counters` are the same under the simulator's (hw::measured_counters()). `code_mix` is
/// that of the machine code that was measured; empty if it is not known.
[[nodiscard]] std::vector<double>
features_of(const SimOutcome& outcome, const kernel::Launch& launch, const config::GpuConfig& gpu);
[[nodiscard]] std::vector<double> features_of(const MeasureOutcome& outcome,
                                              const std::map<std::string, double>& counters,
                                              const kernel::Launch& launch,
                                              const std::map<std::string, double>& code_mix,
                                              const config::GpuConfig& gpu);

} // namespace coulomb::eval
