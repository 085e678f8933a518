// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb hw doctor`: looks at driver, devices, compiler, clocks and load, and says what to mend.
/// Returns 0 if kernels can be measured, 3 if something stands against it (each with its fix).
int run_hw_doctor(const std::vector<std::string>& args);

} // namespace coulomb::cli
