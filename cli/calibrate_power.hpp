// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb calibrate power`: event energies from published powers of kernels.
int run_calibrate_power(const std::vector<std::string>& args);

} // namespace coulomb::cli
