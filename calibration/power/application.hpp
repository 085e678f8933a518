// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/power/power_validation.hpp"

namespace coulomb::calibration::power {

/// Fills in the checks of group "application": see check_power_points().
void check_applications(std::vector<PowerCheck>& checks, const LoadGpu& load);

} // namespace coulomb::calibration::power
