// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/tunable_spec.hpp"

#include <string>

namespace coulomb::kernel {

/// True if a .toml has parameters: it describes a tuning space, not one launch. Throws UserError if
/// it cannot be read or is not TOML.
[[nodiscard]] bool is_tuning_file(const std::string& path);

/// Reads a tuning .toml (docs/spaces.md): the keys of a launch file, whose sizes may be expressions
/// of the parameters, and [parameters], restrictions, problem_size, name, description, oracle.
/// Throws UserError that points at every line that is wrong.
[[nodiscard]] TunableSpec read_tuning_file(const std::string& path);

} // namespace coulomb::kernel
