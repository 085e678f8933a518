// SPDX-License-Identifier: Apache-2.0
// What StreamingMultiprocessor tells those who watch a run. Never called when none does.
#include "sim/timing/sm/streaming_multiprocessor.hpp"

namespace coulomb::timing::sm {

void StreamingMultiprocessor::observe_issue(
    const WarpSlot& warp, std::uint32_t slot, Cycle stalled, Cycle blocked, Cycle now) {
  struct Part {
    StallReason reason;
    Cycle from;
    Cycle to;
  };
  const Part parts[] = {{warp.stall_reason, warp.last_issue + 1, stalled},
                        {warp.block_reason, stalled, blocked},
                        {warp.throttle, blocked, now},
                        {StallReason::selected, now, now + 1}};
  if (program_.profile != nullptr) {
    InstructionCounts& counts = (*program_.profile)[warp.state->pc / isa::kInstructionBytes];
    ++counts.issued;
    for (const Part& p : parts) {
      counts.stall_cycles[static_cast<std::size_t>(p.reason)] += p.to > p.from ? p.to - p.from : 0;
    }
  }
  if (program_.timeline != nullptr) {
    for (const Part& p : parts) {
      program_.timeline->stalled(id_, slot, p.reason, p.from, p.to);
    }
  }
}

} // namespace coulomb::timing::sm
