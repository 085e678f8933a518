// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/control_flow.hpp"

#include "sim/functional/convergence.hpp"
#include "sim/functional/cta_barrier.hpp"
#include "sim/functional/faults.hpp"

#include <fmt/format.h>

namespace coulomb::functional {
namespace {
[[noreturn]] void throw_stuck(const Context& ctx) {
  std::string text = "deadlock between the lanes of a warp: ";
  for (const Split& s : ctx.warp.splits) {
    text += fmt::format("[lanes {:#010x} wait at pc {:#06x} for lanes {:#010x}] ", s.mask, s.pc,
                        s.sync_mask & ~ctx.warp.exited);
  }
  text.pop_back();
  throw_fault(ctx, text, -1);
}

/// The barrier at which every live lane of the warp waits in splits, or -1.
int common_cta_barrier(const WarpState& warp) {
  if (warp.active != 0 || warp.splits.empty()) {
    return -1;
  }
  const int waits_on = warp.splits.front().waits_on;
  for (const Split& s : warp.splits) {
    if (s.waits_on != waits_on) {
      return -1;
    }
  }
  return waits_on >= kWaitsCta ? waits_on - kWaitsCta : -1;
}

/// All live lanes wait at the barrier: the warp as a whole has arrived.
void arrive_from_splits(Context& ctx, unsigned id) {
  WarpState& warp = ctx.warp;
  // sync_mask carries the explicit thread count while a split waits at a CTA barrier.
  const BarrierArrival arrival{.id = id, .threads = warp.splits.front().sync_mask};
  for (Split& s : warp.splits) {
    s.sync_mask = 0;
  }
  arrive(ctx.cta, warp, arrival, true);
  release_cta_waiters(warp, id);
  resume(warp);
  ctx.result.event = StepEvent::barrier;
  ctx.result.barrier_id = static_cast<std::uint8_t>(id);
}
} // namespace

/// Chooses what runs next after lanes stopped running: another split, a CTA barrier, the end of the
/// warp.
void settle(Context& ctx) {
  WarpState& warp = ctx.warp;
  if (!warp.splits.empty()) {
    release(warp);
  }
  if (resume(warp)) {
    return;
  }
  if (warp.splits.empty()) {
    --ctx.cta.live_warps;
    warp_exited(ctx.cta);
    ctx.result.event = StepEvent::exit;
    return;
  }
  const int id = common_cta_barrier(warp);
  if (id < 0) {
    if (!leave_abandoned_barriers(warp)) {
      throw_stuck(ctx);
    }
    resume(warp);
    return;
  }
  arrive_from_splits(ctx, static_cast<unsigned>(id));
}

void settle_waiting(Context& ctx) {
  settle(ctx);
  if (ctx.result.event == StepEvent::none) {
    ctx.result.event = StepEvent::branch;
  }
}

} // namespace coulomb::functional
