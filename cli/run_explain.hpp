// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/run_options.hpp"
#include "cli/timeline_trace.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace coulomb::cli {

/// What the simulation is to record for --hot, --timeline and --vcd.
[[nodiscard]] eval::ProfileRequest profile_request(const RunOptions& options);

/// Writes the file of --timeline; an empty trace if there is none to write. Throws EnvironmentError
/// for a path that cannot be written.
[[nodiscard]] TimelineTrace write_timeline(const RunOptions& options, const eval::SimOutcome& sim);

/// What the report says about hot instructions, the timeline and the waveform: whole lines, or
/// nothing.
[[nodiscard]] std::string explanation_text(const RunOptions& options,
                                           const eval::SimOutcome& sim,
                                           const TimelineTrace& trace);

/// Fields that `run --json` adds: every parameter of the GPU and which were changed, hot
/// instructions, the timeline's file, the waveform's.
[[nodiscard]] nlohmann::ordered_json explanation_json(const RunOptions& options,
                                                      const eval::SimOutcome& sim,
                                                      const TimelineTrace& trace);

} // namespace coulomb::cli
