// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/profile.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace coulomb::cli {

/// A timeline as a file of Chrome's trace-event format, which Perfetto (ui.perfetto.dev) and
/// chrome://tracing open. Source of the format: "Trace Event Format", the Chromium project.
struct TimelineTrace {
  std::string text;           ///< one JSON object
  std::uint64_t events = 0;   ///< in `traceEvents`, names of processes and tracks included
  std::uint64_t left_out = 0; ///< events, all later than those that are there
  std::string note;           ///< what was merged or left out; empty if nothing was
};

/// One process per simulated SM, one track per warp slot in it: how long each warp stayed, and
/// inside that what it waited for; counter tracks of issue and of L1, L2 and DRAM throughput. A
/// microsecond of the trace is an SM cycle. `title`: kernel and GPU. `sub_cores` of an SM. The text
/// is at most `limit` bytes; what does not fit is left out from the end of the run.
[[nodiscard]] TimelineTrace timeline_trace(const eval::TimelineRecord& timeline,
                                           const std::string& title,
                                           std::uint32_t sub_cores,
                                           std::size_t limit);

/// Room for slices and stays of warps that fills about `limit` bytes.
[[nodiscard]] std::uint64_t timeline_events(std::size_t limit);

} // namespace coulomb::cli
