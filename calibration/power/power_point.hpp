// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::calibration::power {

/// What kind of measurement a point is.
/// idle: context open, no kernel; sleep: state P8; kernel, burn: a kernel that can be run here;
/// capped: the same, held down by the power limit; transient: rise of the die in six seconds;
/// application: a program of which only the relative speed is known; not_runnable: no such board
/// or program here.
inline constexpr std::array<std::string_view, 8> kPointGroups = {
    "idle", "sleep", "kernel", "burn", "capped", "transient", "application", "not_runnable"};

/// A published power, time or temperature of a board.
struct PowerPoint {
  std::string id;
  std::string group;   ///< one of kPointGroups
  bool fitted = false; ///< a parameter of the model was set by it (role "fit"); else it checks
  std::string gpu;     ///< GPU id; empty if not_runnable
  std::string what;
  std::string spec;              ///< kernel that is run; empty if none is
  double sm_clock_mhz = 0.0;     ///< 0: not stated
  std::optional<double> limit_w; ///< power limit, if not the board's own
  double value = 0.0;
  double tolerance = 0.0; ///< +-
  std::string unit;       ///< W, C, ms, ratio
  std::string application;
  std::optional<double> work_rate; ///< of an application, 1 at its fastest clock
  std::string source;
  std::string confidence;
};

/// data/power/points.csv. Throws UserError naming the line of what is missing or wrong.
[[nodiscard]] std::vector<PowerPoint> read_power_points(const std::string& path);

} // namespace coulomb::calibration::power
