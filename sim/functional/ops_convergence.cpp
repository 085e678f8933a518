// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/control_flow.hpp"
#include "sim/functional/convergence.hpp"
#include "sim/functional/lowering.hpp"

/// Convergence barriers and the turns of diverged splits.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;
using isa::OperandKind;

/// value: barrier register. From here on the lanes that execute this belong together.
void bssy(Context& ctx, const MicroOp& op) {
  const std::uint32_t lanes = taken_lanes(ctx, op);
  std::uint32_t* members = ctx.warp.barriers[op.value].data();
  alignas(64) std::uint32_t m[kLanes];
  expand_mask(lanes, m);
  for (int l = 0; l < kLanes; ++l) {
    members[l] = (lanes & m[l]) | (members[l] & ~m[l]);
  }
}

void bsync(Context& ctx, const MicroOp& op) {
  WarpState& warp = ctx.warp;
  const auto& members = warp.barriers[op.value];
  std::uint32_t todo = taken_lanes(ctx, op);
  bool parked = false;
  while (todo != 0) {
    const int first = std::countr_zero(todo);
    const std::uint32_t group = members[static_cast<std::size_t>(first)];
    std::uint32_t same = 0;
    each_lane(todo, [&](int l) {
      same |= (members[static_cast<std::size_t>(l)] == group ? 1U : 0U) << l;
    });
    todo &= ~same;
    if ((group & live_lanes(warp) & ~same) == 0) {
      continue; // everyone is here (or the lanes have left the barrier)
    }
    park(warp, same, ctx.pc, static_cast<std::int8_t>(op.value), group);
    parked = true;
  }
  if (parked) {
    settle_waiting(ctx);
  }
}

/// The executing lanes no longer take part in the barrier.
void break_lanes(Context& ctx, const MicroOp& op) {
  WarpState& warp = ctx.warp;
  const std::uint32_t lanes = taken_lanes(ctx, op);
  auto& members = warp.barriers[op.value];
  for (unsigned l = 0; l < kLanes; ++l) {
    members[l] = (lanes >> l & 1U) != 0 ? 0 : members[l] & ~lanes;
  }
  for (Split& s : warp.splits) {
    if (s.waits_on == static_cast<std::int8_t>(op.value)) {
      s.sync_mask &= ~lanes;
    }
  }
  if (!warp.splits.empty()) {
    release(warp);
  }
}

/// src[0]: mask, of which the first executing lane's value counts.
void warpsync(Context& ctx, const MicroOp& op) {
  WarpState& warp = ctx.warp;
  const std::uint32_t lanes = taken_lanes(ctx, op);
  if (lanes == 0) {
    return;
  }
  const std::uint32_t mask = row(ctx, op.src[0])[std::countr_zero(lanes)];
  if ((mask & live_lanes(warp) & ~lanes) == 0) {
    return;
  }
  park(warp, lanes, ctx.pc, kWaitsWarpsync, mask);
  settle_waiting(ctx);
}

constexpr std::uint32_t kActiveMask = 26;
constexpr std::uint32_t kExitedMask = 24;

/// value: barrier register, aux[0]: .CLEAR
void bmov_to_register(Context& ctx, const MicroOp& op) {
  if (op.value >= 16) {
    const std::uint32_t mask = op.value == kActiveMask ? ctx.warp.active : ctx.warp.exited;
    for_lanes(ctx, row(ctx, op.dst), [=](int) { return mask; });
    return;
  }
  std::uint32_t* members = ctx.warp.barriers[op.value].data();
  for_lanes(ctx, row(ctx, op.dst), [=](int l) { return members[l]; });
  if (op.aux[0] != 0) {
    for_lanes(ctx, members, [](int) { return 0U; });
  }
}

void bmov_from_register(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  for_lanes(ctx, ctx.warp.barriers[op.value].data(), [=](int l) { return a[l]; });
}

Handler lower_bmov(Lowering& low) {
  if (low.operand(0).kind == OperandKind::reg) {
    low.dst(0);
    low.op.value = low.operand(1).index;
    low.op.aux[0] = static_cast<std::uint8_t>(low.modifier(Modifier::CLEAR));
    const bool mask = low.op.value == kActiveMask || low.op.value == kExitedMask;
    return low.op.value < 16 || mask ? bmov_to_register : nullptr;
  }
  low.op.value = low.operand(0).index;
  low.src(0, 1);
  return low.op.value < 16 ? bmov_from_register : nullptr;
}

void yield_turn(Context& ctx, const MicroOp&) {
  if (switch_split(ctx.warp)) {
    ctx.result.event = StepEvent::branch;
  }
}

/// src[0]: nanoseconds, of which the first executing lane's value counts.
void nanosleep(Context& ctx, const MicroOp& op) {
  const std::uint32_t lanes = taken_lanes(ctx, op);
  if (lanes == 0) {
    return;
  }
  ctx.result.sleep_ns = row(ctx, op.src[0])[std::countr_zero(lanes)];
  switch_split(ctx.warp);
  ctx.result.event = StepEvent::sleep;
}

Handler lower_barrier_register(Lowering& low, Handler handler) {
  low.psrc(0, 0);
  low.op.value = low.operand(1).index & 15;
  return handler;
}
} // namespace

Handler select_convergence(Lowering& low) {
  switch (low.in.opcode) {
  case Opcode::BSSY:
    return lower_barrier_register(low, bssy);
  case Opcode::BSYNC:
    return lower_barrier_register(low, bsync);
  case Opcode::BREAK:
    return lower_barrier_register(low, break_lanes);
  case Opcode::BMOV_32:
    return lower_bmov(low);
  case Opcode::WARPSYNC:
    low.src(0, 1);
    low.psrc(0, 0);
    return warpsync;
  case Opcode::YIELD:
    return yield_turn;
  case Opcode::NANOSLEEP:
    low.src(0, 1);
    low.psrc(0, 0);
    return nanosleep;
  default:
    return nullptr;
  }
}

} // namespace coulomb::functional
