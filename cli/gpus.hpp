// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb gpus [--json]`: prints the GPUs of configs/gpu and how well founded their parameters
/// are. `args` are the words after `gpus`. Returns the exit code; throws Error.
int run_gpus(const std::vector<std::string>& args);

} // namespace coulomb::cli
