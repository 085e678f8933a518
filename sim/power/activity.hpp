// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/power_config.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace coulomb::power {

/// Where energy goes. The names are those of reports and metrics.
enum class Component : std::uint8_t {
  board,
  dram_background,
  dram_access,
  leakage,
  clock_tree,
  sm_active,
  instruction_issue,
  register_file,
  integer,
  floating_point,
  tensor,
  l1_shared,
  l2,
  crossbar
};
inline constexpr std::size_t kComponents = 14;
[[nodiscard]] std::string_view component_name(Component component);

/// One kind of event: what is counted, what it costs, where that is booked.
struct Event {
  std::string_view metric; ///< counter, docs/counters.md
  double config::EnergyConfig::*energy_pj;
  Component component;
  bool of_core;        ///< scaled by the cores' voltage
  double events = 1.0; ///< of this kind for each count of the metric
};
/// Every event that costs energy. Several rows may count one counter.
[[nodiscard]] std::span<const Event> event_table();

/// What a kernel did, whole grid.
struct Activity {
  double time_s = 0.0;
  double sm_clock_mhz = 0.0;              ///< at which the time holds
  std::map<std::string, double> counters; ///< docs/counters.md; what is missing counts nothing
  /// Cycles with a resident warp, summed over SMs.
  [[nodiscard]] double active_sm_cycles() const;
};
[[nodiscard]] Activity
activity_of(const std::map<std::string, double>& counters, double time_ms, double sm_clock_mhz);

/// Energy of the counted events in J at v = 1, by component; without DRAM's, which is `dram_j`.
struct EventEnergy {
  std::array<double, kComponents> core_j{};
  double dram_j = 0.0;
};
[[nodiscard]] EventEnergy event_energy(const config::EnergyConfig& energy,
                                       const Activity& activity);

} // namespace coulomb::power
