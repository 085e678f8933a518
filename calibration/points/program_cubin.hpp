// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/launch_description.hpp"
#include "calibration/points/sass_program.hpp"

#include <cstdint>
#include <string>

namespace coulomb::calibration::points {

/// Compiles the source of `launch`, puts `program` in the place of its code, writes the cubin to
/// `path` and makes it the launch's. Returns why the source did not compile; empty if it did.
/// Throws UserError (place_program), EnvironmentError if there is no compiler.
[[nodiscard]] std::string use_program(kernel::LaunchDescription& launch,
                                      const SassProgram& program,
                                      std::uint32_t architecture,
                                      const std::string& path,
                                      double compile_deadline_s);

} // namespace coulomb::calibration::points
