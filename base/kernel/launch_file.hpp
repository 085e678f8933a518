// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/launch_description.hpp"

#include <string>

namespace coulomb::kernel {

/// Reads a launch .toml (docs/launch.md): source or cubin, entry, grid, block, shared_bytes,
/// options, a table [define], and one [[argument]] or [[symbol]] for each parameter and module
/// variable. Relative paths begin in the folder of the file. Throws UserError that points at every
/// line that is wrong.
[[nodiscard]] LaunchDescription read_launch_file(const std::string& path);

} // namespace coulomb::kernel
