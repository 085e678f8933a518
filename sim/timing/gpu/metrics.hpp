// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/counter_table.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace coulomb::timing::gpu {

/// A ratio of counters, of the simulated part of the grid.
struct DerivedMetric {
  std::string_view name;
  std::string_view unit;
  std::string_view definition;
  double (*value)(const SmCounters& sm, const MemoryCounters& memory);
};
[[nodiscard]] std::span<const DerivedMetric> derived_metrics();

/// The metric that the sampler adds: cycles of the kernel, extrapolated.
inline constexpr std::string_view kElapsedCycles = "sm__cycles_elapsed.max";

/// Counters of counter_table() as sums over the whole grid, and derived_metrics(): `scale` is CTAs
/// of the grid over CTAs simulated. Ratios (`.ratio`, `.per_cycle_active`) are not scaled.
[[nodiscard]] std::map<std::string, double>
named_counters(const SmCounters& sm, const MemoryCounters& memory, double scale);

/// Share of each stall reason in all resident warp-cycles; the shares sum to 1 (empty if nothing
/// ran).
[[nodiscard]] std::map<std::string, double> stall_shares(const SmCounters& sm);

/// docs/counters.md: every metric of a run with unit and definition, as Markdown.
[[nodiscard]] std::string counters_document();

} // namespace coulomb::timing::gpu
