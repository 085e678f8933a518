// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/launch_options.hpp"
#include "hw/device/measuring_device.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::cli {

/// What `coulomb hw measure` is asked to do.
struct MeasureCommand {
  ChosenKernel kernel;
  std::vector<kernel::Configuration> configurations;
  hw::MeasureOptions options;
  std::string device;               ///< "0", "replay:TABLE"
  std::string replayed;             ///< TABLE of the latter; empty: a real device
  std::uint32_t lock_clock_mhz = 0; ///< 0: the clock is watched
  std::string out;                  ///< measurement file; empty: none
  bool plan = false;
  bool json = false;
};

/// Reads the words after `hw measure`; nothing if they asked for help, which was printed. Throws
/// UserError: a value out of range, options that would change nothing, an output file that is not
/// called .json.
[[nodiscard]] std::optional<MeasureCommand>
read_measure_command(const std::vector<std::string>& args);

} // namespace coulomb::cli
