// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/tunable_spec.hpp"

#include <string>
#include <vector>

namespace coulomb::kernel {

/// Names of the kernels in `directory`: every folder that holds <folder>/<folder>.json, sorted.
/// Throws UserError if the directory cannot be read.
[[nodiscard]] std::vector<std::string> list_kernels(const std::string& directory);

/// The spec that `spec` names: a kernel of `directory`, or the path of a T1 .json file or of a
/// tuning .toml. Throws UserError with the nearest name and the list of kernels if it is neither.
[[nodiscard]] TunableSpec find_spec(const std::string& spec, const std::string& directory);

/// The same, over the kernels/ folder of home_dir().
[[nodiscard]] TunableSpec find_spec(const std::string& spec);

} // namespace coulomb::kernel
