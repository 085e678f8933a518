// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb kernels [list | show NAME] [--json]`: prints the tunable kernels of kernels/, or one of
/// them (or a T1 .json file) with its parameters, restrictions, launch and arguments. `args` are
/// the words after `kernels`. Returns the exit code; throws Error.
int run_kernels(const std::vector<std::string>& args);

} // namespace coulomb::cli
