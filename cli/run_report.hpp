// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "calibration/expected_error.hpp"
#include "search/engine/evaluator.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coulomb::cli {

/// What `run` prints for people.
struct RunReport {
  std::string kernel;    ///< name of the spec
  std::string gpu_line;  ///< "108 SMs   1,410 MHz   ..."
  std::string reproduce; ///< command line that gives this result again
  std::string search;    ///< command line that searches this kernel on this GPU; or empty
  std::vector<kernel::OutputFile> outputs;                       ///< files that the run wrote
  std::optional<calibration::ExpectedError> expected_error = {}; ///< present if it was timed
  std::string cache_state = "warm"; ///< at launch, one of eval::kCacheStates
  std::string explanation;          ///< hot instructions, the timeline: whole lines, or empty
};

/// The result of one run: kernel, GPU, time, throughput, occupancy, check, where the cycles went.
/// UTF-8, ends with a new line.
[[nodiscard]] std::string run_report_text(const RunReport& report,
                                          const search::Evaluation& evaluation,
                                          const config::GpuConfig& gpu);

} // namespace coulomb::cli
