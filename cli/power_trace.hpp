// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/run_options.hpp"

#include <string>

namespace coulomb::cli {

/// Writes the file of --power-trace: what the board's controller does while the kernel runs again
/// and again, a line of CSV for each of its decisions. Returns a line about it for the report,
/// empty if none is asked for or the kernel has no time. Throws EnvironmentError if it cannot be
/// written.
[[nodiscard]] std::string write_power_trace(const RunOptions& options, const eval::SimOutcome& sim);

} // namespace coulomb::cli
