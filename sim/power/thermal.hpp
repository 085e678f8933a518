// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace coulomb::power {

/// Temperatures, C.
struct Temperatures {
  std::vector<double> sm; ///< one per enabled SM, row by row of the grid they are taken to form
  double uncore = 0.0;    ///< L2, crossbar, memory interfaces: one node
  double spreader = 0.0;
  double sink = 0.0;
};

/// Thermal RC network: a node for each SM and one for the uncore, each joined to the heat spreader
/// by its share of the die's area, SMs to their neighbours side by side; the spreader to the sink,
/// the sink to the air. SMs are taken to form a grid as square as can be: the real floor plan is
/// not published, and a neighbour matters little (healing length: about one SM). Foster stages of
/// the measurements serve as Cauer stages, whose time constants are 50 times apart.
class ThermalNetwork {
public:
  explicit ThermalNetwork(const config::GpuConfig& gpu);

  /// Everything at the temperature of the air.
  [[nodiscard]] Temperatures cold() const;
  /// After `sm_w` (W, one per SM) and `uncore_w` have lasted for ever.
  [[nodiscard]] Temperatures steady(std::span<const double> sm_w, double uncore_w) const;
  /// `seconds` later under constant powers; explicit steps short against the die's time constant.
  void
  advance(Temperatures& state, std::span<const double> sm_w, double uncore_w, double seconds) const;

  /// Mean of the die by area: what the resistances of the measurements are stated for.
  [[nodiscard]] double die_mean(const Temperatures& state) const;

  [[nodiscard]] std::size_t columns() const { return columns_; }

private:
  [[nodiscard]] double lateral_w(const std::vector<double>& sm, std::size_t i) const;
  template <class Visit>
  void neighbours(std::size_t i, const Visit& visit) const;

  config::ThermalConfig thermal_;
  std::size_t sms_;
  std::size_t columns_;
  double sm_conductance_;     ///< SM to spreader, W/K
  double uncore_conductance_; ///< W/K
  double sm_capacity_;        ///< J/K
  double uncore_capacity_;
  double spreader_capacity_;
  double sink_capacity_;
};

} // namespace coulomb::power
