// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/power/power_model.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::power {

/// How SMs are grouped under voltage regulators of their own.
enum class IslandSize : std::uint8_t { chip, gpc, tpc, sm };
inline constexpr std::array<std::string_view, 4> kIslandSizes = {"chip", "gpc", "tpc", "sm"};

/// A study of voltage islands: what would it be worth if SMs had voltages and clocks of their own?
/// Real Ampere boards have one graphics voltage: this is a what-if.
struct IslandStudy {
  IslandSize size = IslandSize::sm;
  /// Spread of the voltage that an SM needs, relative, one standard deviation. An assumption: only
  /// the spread between chips is public (0.9 %).
  double sigma = 0.012;
  std::uint64_t seed = 1;
  double conversion_loss = 0.07; ///< of what an on-die regulator delivers; 0.05 to 0.10 published
  double boundary_cycles = 3.0;  ///< level shifter and FIFO between an island and the crossbar
  /// Time over cycles of added L2 latency, relative per cycle: of the kernel, from two simulations.
  double latency_sensitivity = 0.0;
  double spread_mhz = 0.0;    ///< every other island this much faster, the others this much slower
  bool gate_idle_sms = false; ///< SMs without work lose their voltage
};

/// CTAs of a kernel, as the dispatcher sees them. Their length is scaled such that one clock for
/// all takes the simulated time.
struct CtaWork {
  std::uint64_t ctas = 0;
  std::uint32_t ctas_per_sm = 1;
  double cta_cycles = 0.0; ///< SM cycles from start to end of one
};

/// What one arrangement makes of a kernel.
struct IslandOutcome {
  std::string name;
  double time_s = 0.0;
  double power_w = 0.0;
  double energy_j = 0.0;
  double edp = 0.0;        ///< J s
  double idle_share = 0.0; ///< of the SM slots' time that no CTA used
};

/// Outcomes of: one rail that serves the worst SM ("one rail"); the islands at the same clock, each
/// at the voltage that its worst SM needs; and, with a spread, islands at two clocks, with the one
/// rail at the uniform clock that takes as long as they do for comparison. CTAs go to the slot that
/// is free first, so faster SMs get more of them. `activity` is the kernel's at the clock of `gpu`,
/// without variation.
[[nodiscard]] std::vector<IslandOutcome> study_islands(const config::GpuConfig& gpu,
                                                       const Activity& activity,
                                                       const CtaWork& given,
                                                       const IslandStudy& study);

} // namespace coulomb::power
