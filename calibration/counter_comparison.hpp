// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/collectors/counter_map.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::calibration {

/// Where a counter stands in the chain of causes: what diverges early explains what follows.
enum class CausalStage : std::uint8_t { work, l1, l2, dram, time };
[[nodiscard]] const char* to_string(CausalStage stage);

/// One counter of a kernel, simulated and measured.
struct ComparedCounter {
  CausalStage stage = CausalStage::work;
  std::string counter; ///< the simulator's name; "a + b" where silicon does not tell them apart
  double simulated = 0.0;
  double measured = 0.0;
  bool diverges = false;              ///< by more than kCounterTolerance
  [[nodiscard]] double ratio() const; ///< simulated / measured; 1 if both are 0, infinite if one is
};

/// Apart by more than this, relatively, two counters say different things: replayed passes of one
/// kernel differ by some per cent themselves.
inline constexpr double kCounterTolerance = 0.05;

/// What silicon and the simulator count of one kernel, in causal order.
struct CounterComparison {
  std::vector<ComparedCounter> counters;
  /// The first that diverges, the root of the trouble; nothing if none does.
  [[nodiscard]] std::optional<std::size_t> first_divergence() const;
};

/// Compares every counter that both have. `metrics`: CUPTI's names.
[[nodiscard]] CounterComparison compare_counters(hw::ChipFamily family,
                                                 const std::map<std::string, double>& simulated,
                                                 const std::map<std::string, double>& metrics);

/// A table with the first divergence marked, and what follows from it.
[[nodiscard]] std::string to_text(const CounterComparison& comparison);

} // namespace coulomb::calibration
