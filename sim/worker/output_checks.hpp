// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/simulation.hpp"
#include "sim/worker/problem.hpp"

namespace coulomb::worker {

/// Compares what the kernel stored with the request's expected files or its oracle; not checked if
/// it has neither. `whole_grid`: every CTA ran, so that an element that none stored is compared
/// with its file, too. Throws UserError for a file or oracle that does not fit the launch.
[[nodiscard]] eval::OutputCheck
check_outputs(const eval::SimRequest& request, Problem& problem, bool whole_grid);

/// Writes the request's output files; their shapes have the arguments' elements. Throws UserError
/// for an argument that is no output, EnvironmentError for a path that cannot be written.
void write_outputs(const eval::SimRequest& request, const Problem& problem);

} // namespace coulomb::worker
