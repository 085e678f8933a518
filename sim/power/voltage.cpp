// SPDX-License-Identifier: Apache-2.0
#include "sim/power/voltage.hpp"

#include <algorithm>

namespace coulomb::power {

double relative_voltage(const config::VoltageConfig& curve, double clock_mhz) {
  const auto& clocks = curve.clocks_mhz;
  const auto& permille = curve.permille;
  if (clocks.size() < 2 || permille.size() != clocks.size()) {
    return clocks.empty() || permille.empty() ? 1.0 : permille.front() / 1000.0;
  }
  if (clock_mhz <= clocks.front()) {
    return permille.front() / 1000.0;
  }
  const auto above = std::find_if(clocks.begin() + 1, clocks.end() - 1,
                                  [&](std::uint32_t clock) { return clock >= clock_mhz; });
  const auto i = static_cast<std::size_t>(above - clocks.begin());
  const double low = permille[i - 1];
  const double slope = (permille[i] - low) / (double{1} * clocks[i] - clocks[i - 1]);
  return std::max(1.0, (low + slope * (clock_mhz - clocks[i - 1])) / 1000.0);
}

} // namespace coulomb::power
