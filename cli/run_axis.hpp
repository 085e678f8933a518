// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/run_options.hpp"

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb run SPEC ... --axis KEY=...`: one run for each combination of the axes' values, each
/// what `run` with these --set and --param would do; prints a table, or with --json an array of its
/// objects with "axis", in the order of the values whatever the jobs. `options` are those of
/// `args`. Returns 4 if a run is not ok, else 1 if a check found something, else 0. Throws
/// UserError naming every wrong value at once.
int run_axes(const std::vector<std::string>& args, const RunOptions& options);

} // namespace coulomb::cli
