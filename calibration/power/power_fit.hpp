// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/power/power_validation.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::calibration::power {

/// Event energies that are scaled together: too few powers are public to tell them apart.
struct EnergyGroup {
  std::string_view name;
  std::vector<double config::EnergyConfig::*> members;
};
[[nodiscard]] const std::vector<EnergyGroup>& energy_groups();

/// A measured power of a kernel, and whether the fit may see it.
struct FitPoint {
  PowerPoint point;
  config::GpuConfig gpu;
  SimulatedKernel kernel;
  bool held_out = false;
};

struct FittedGroup {
  std::string name;
  double factor = 1.0; ///< of every energy of the group
  /// Watts of the group on the fitted points, least and greatest: nothing can be learnt of a group
  /// that is never a part of the power.
  double least_w = 0.0;
  double greatest_w = 0.0;
};

struct PowerFit {
  std::vector<FittedGroup> groups;
  double fitted_before = 0.0; ///< mean |predicted / measured - 1|
  double fitted_after = 0.0;
  double held_out_before = 0.0;
  double held_out_after = 0.0;
  std::size_t fitted = 0;
  std::size_t held_out = 0;
};

/// Factors that bring the fitted points' powers nearest to the measured ones: Gauss-Newton on
/// relative residuals with a prior of 1 +- kPriorWidth on each factor, kept within kLeastFactor and
/// kGreatestFactor. Throws UserError if no point is to be fitted.
[[nodiscard]] PowerFit fit_energies(const std::vector<FitPoint>& points);
inline constexpr double kPriorWidth = 1.0;
inline constexpr double kLeastFactor = 0.3;
inline constexpr double kGreatestFactor = 3.0;

/// `energy` with the factors on it.
[[nodiscard]] config::EnergyConfig scaled(config::EnergyConfig energy, const PowerFit& fit);

} // namespace coulomb::calibration::power
