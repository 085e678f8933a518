// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/expected_error.hpp"
#include "cli/run_options.hpp"
#include "cli/timeline_trace.hpp"
#include "search/engine/reference_output.hpp"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace coulomb::cli {

/// Makes a configuration of a spec without an oracle be compared with the default configuration's
/// output, which is computed into `folder` unless `made` holds it already. Returns why there is no
/// such comparison, or nothing.
[[nodiscard]] std::string add_reference(RunOptions& options,
                                        const std::string& folder,
                                        std::optional<search::ReferenceOutput>& made);

/// Compiles, simulates and checks one configuration of one kernel; a line on a terminal meanwhile.
[[nodiscard]] search::Evaluation evaluate_run(RunOptions& options);

/// What validations against silicon say about the time of such a run; nothing if it has no time.
[[nodiscard]] std::optional<calibration::ExpectedError> expected_error(const RunOptions& options,
                                                                       const eval::SimOutcome& sim);

/// The object of `run --json`.
[[nodiscard]] nlohmann::ordered_json
run_json(const RunOptions& options, const search::Evaluation& result, const TimelineTrace& trace);

} // namespace coulomb::cli
