// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/power_config.hpp"

namespace coulomb::power {

/// v: the voltage that the chip needs at `clock_mhz` over its lowest one, at least 1. Straight
/// lines between the points of the curve; beyond the last one its last line goes on.
[[nodiscard]] double relative_voltage(const config::VoltageConfig& curve, double clock_mhz);

} // namespace coulomb::power
