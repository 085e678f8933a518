// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/status.hpp"
#include "base/kernel/configuration.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace coulomb::results {

/// Rows that ran count only if `column` holds one of `keep`.
struct RowFilter {
  std::string column;
  std::vector<std::string> keep;
  std::string reason; ///< why the others do not count; printed with their number
};

struct SiliconProvenance {
  std::string repository;
  std::string commit;
  std::string file;
  std::string licence;
  std::string copyright;
  std::string measured; ///< date or dates, ISO 8601
  std::string changes;  ///< what was done to the published file
  std::vector<std::string> notes;
};

/// What the TOML beside a table of silicon measurements states. Without it the times mean nothing.
struct SiliconMetadata {
  std::string path;              ///< of the TOML file
  std::string gpu;               ///< GPU id, as in configs/gpu
  double sm_clock_mhz = 0.0;     ///< at which the eligible rows ran; 0: not known
  double memory_clock_mhz = 0.0; ///< as NVML reports it; 0: not known
  std::string clock_note;
  std::string spec;                       ///< name of the tunable kernel
  std::vector<std::int64_t> problem_size; ///< T1 ProblemSize that was run
  std::vector<std::string> parameters;    ///< columns that are parameters of the spec
  std::vector<std::string> texts;         ///< of them, those that hold words instead of numbers
  std::vector<kernel::Configuration::Entry>
      defaults;            ///< parameters that the table has no column for
  std::string time_column; ///< milliseconds
  /// What the recorded times hold besides the kernel, the same for every row; subtracted from them.
  double launch_overhead_ms = 0.0;
  std::string launch_overhead_note; ///< how that is known; stated if it is above 0
  std::string statistic;
  /// Table of the single launches, relative to the TOML: column "row" (0-based data row), then
  /// nanoseconds in the order of the launches. Empty: only the statistic was published.
  std::string samples;
  std::string cache_state; ///< "warm" or "cold", at launch
  std::string status_column;
  std::map<std::string, eval::EvalStatus> statuses; ///< recorded word: ours
  std::vector<RowFilter> filters;
  SiliconProvenance provenance;
};

/// Reads and checks the TOML file. Throws UserError that lists every problem, each with path:line:
/// unknown key (did you mean), missing key, wrong type, unknown status word, malformed TOML.
[[nodiscard]] SiliconMetadata load_silicon_metadata(const std::string& path);

} // namespace coulomb::results
