// SPDX-License-Identifier: Apache-2.0
// What StreamingMultiprocessor tells those who watch a run. Never called under tick when none does.
#include "sim/isa/line_table.hpp"
#include "sim/timing/sm/streaming_multiprocessor.hpp"

#include <algorithm>
#include <fmt/format.h>

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
  if (!issues_.empty()) {
    issues_[sub_core_of(slot)] = {now, slot, warp.state->pc};
  }
  if (program_.timeline != nullptr) {
    for (const Part& p : parts) {
      program_.timeline->stalled(id_, slot, p.reason, p.from, p.to);
    }
  }
}

void StreamingMultiprocessor::look(Cycle now) {
  if (next_sample_ <= now) {
    next_sample_ = program_.timeline->sample(id_, counters_, now);
  }
  if (next_watch_ <= now) {
    const Watchdog::Look look = program_.watchdog->look(watched_, now);
    watched_ = look.watch;
    next_watch_ = look.next;
  }
  next_look_ = std::min(next_sample_, next_watch_);
}

/// As account() would charge the cycle.
std::uint32_t StreamingMultiprocessor::shown_stall(std::uint32_t sub_core, Cycle now) const {
  std::uint32_t next = sub_cores_[sub_core].last * sub_core_count_ + sub_core;
  if (!warps_[next].resident) {
    std::uint64_t youngest = 0;
    for (std::uint32_t slot = sub_core; slot < warps_.size(); slot += sub_core_count_) {
      if (warps_[slot].resident && warps_[slot].age > youngest) {
        youngest = warps_[slot].age;
        next = slot;
      }
    }
    if (youngest == 0) {
      return SmView::kNoWarp;
    }
  }
  const WarpSlot& w = warps_[next];
  const bool blocked = w.at_barrier || w.waiting_for != 0 || w.waits_depbar || w.unblocked_at > now;
  return static_cast<std::uint32_t>(w.stall_until > now ? w.stall_reason
                                    : blocked           ? w.block_reason
                                                        : w.throttle);
}

void StreamingMultiprocessor::view(Cycle now, SmView& view) const {
  view.warps = resident_warps_;
  view.outstanding_loads = lsu_.outstanding_loads();
  view.l1_miss_lines = lsu_.miss_lines();
  view.stores_under_way = lsu_.stores_under_way();
  view.sub_cores.resize(sub_core_count_);
  for (std::uint32_t s = 0; s < sub_core_count_; ++s) {
    SubCoreView& core = view.sub_cores[s];
    const Issue& issue = issues_[s];
    core.issued = issue.at == now;
    core.warp_slot = issue.slot;
    core.pc = issue.pc;
    core.pipe = timing_[issue.pc / isa::kInstructionBytes].pipe;
    core.stall =
        core.issued ? static_cast<std::uint32_t>(StallReason::selected) : shown_stall(s, now);
    core.warps = 0;
    core.ready_warps = 0;
    for (std::uint32_t slot = s; slot < warps_.size(); slot += sub_core_count_) {
      core.warps += warps_[slot].resident ? 1 : 0;
      core.ready_warps += sub_cores_[s].ready_at[slot / sub_core_count_] <= now ? 1 : 0;
    }
    core.lsu_queue = lsu_.queued(s);
  }
}

void StreamingMultiprocessor::report_step(std::uint32_t slot, std::uint32_t pc) {
  const WarpSlot& warp = warps_[slot];
  program_.watchdog->stepped(id_, slot, pc, ctas_[warp.cta_slot].state, *warp.state, step_);
}

std::uint32_t StreamingMultiprocessor::runnable_warps() const {
  return static_cast<std::uint32_t>(std::count_if(
      warps_.begin(), warps_.end(), [](const WarpSlot& w) { return w.resident && !w.at_barrier; }));
}

std::string StreamingMultiprocessor::describe_warp(std::uint32_t slot, bool spins) const {
  const WarpSlot& w = warps_[slot];
  const functional::CtaState& cta = ctas_[w.cta_slot].state;
  const std::string who =
      fmt::format("SM {} warp {} of CTA {}: ", id_, w.state->warp_in_cta, cta.linear_id);
  if (spins && !w.at_barrier) {
    return who + program_.watchdog->describe(id_, slot, cta, *w.state);
  }
  const isa::KernelImage& image = program_.kernel->image();
  const std::uint32_t pc = w.state->pc;
  const std::size_t index = pc / isa::kInstructionBytes;
  std::string line = isa::source_place(image, pc);
  line = line.empty() ? line : fmt::format(" ({})", line);
  const char* waits = w.at_barrier         ? "CTA barrier"
                      : w.waiting_for != 0 ? "dependence counter"
                      : w.waits_depbar     ? "asynchronous copies"
                                           : "nothing";
  return fmt::format("{}pc {:#06x} {}{}, waits for {}", who, pc,
                     index < image.code.size() ? isa::disassemble(image.code[index]) : "?", line,
                     waits);
}

std::string StreamingMultiprocessor::describe_warps(bool spins) const {
  constexpr std::uint32_t kListed = 8;
  std::string out;
  std::uint32_t listed = 0;
  for (std::uint32_t slot = 0; slot < warps_.size(); ++slot) {
    if (warps_[slot].resident && ++listed <= kListed) {
      out += fmt::format("\n{}", describe_warp(slot, spins));
    }
  }
  if (listed > kListed) {
    out += fmt::format("\nSM {}: {} more warps", id_, listed - kListed);
  }
  return out;
}

} // namespace coulomb::timing::sm
