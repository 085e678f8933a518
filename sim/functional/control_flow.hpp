// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/lanes.hpp"

/// What the handlers of branches, convergence and CTA barriers share.
namespace coulomb::functional {

/// Executing lanes for which the instruction's predicate operand holds too.
[[nodiscard]] inline std::uint32_t taken_lanes(const Context& ctx, const MicroOp& op) {
  return ctx.exec & predicate(ctx, op.psrc[0]);
}

/// Chooses what runs next after lanes stopped running: a released split, another one, a CTA barrier
/// at which all live lanes wait, or the end of the warp; sets the event of the last two. Throws
/// KernelFault if the lanes block each other.
void settle(Context& ctx);
/// settle() after some lanes began to wait: the event is at least a branch.
void settle_waiting(Context& ctx);

} // namespace coulomb::functional
