// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb hw measure SPEC --device DEVICE ...`: measures configurations of one kernel on a CUDA
/// device, or answers from recorded measurements, and writes the measurement file that validate and
/// replay read. Returns 0, or 4 if one configuration alone was asked for and it is not ok, or 128 +
/// the signal after Ctrl-C (what finished is in the file).
int run_hw_measure(const std::vector<std::string>& args);

} // namespace coulomb::cli
