// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/control_flow.hpp"
#include "sim/functional/convergence.hpp"
#include "sim/functional/cta_barrier.hpp"
#include "sim/functional/faults.hpp"
#include "sim/functional/lowering.hpp"
#include "sim/functional/memory_access.hpp"

/// Barriers of the CTA, traps, address-space queries, and instructions without functional effect.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;
using isa::OperandKind;

/// Modes of BAR.
enum BarrierMode : unsigned { kSync = 0, kArrive = 1, kReduce = 2 };

/// Barrier id and thread count. A register that holds the count has it in bits 16..27, the id in
/// bits 0..3. aux[1]: 1 id from src[0], 2 count from src[1]; value: immediate id | count << 16.
BarrierArrival barrier_of(Context& ctx, const MicroOp& op) {
  const int first = std::countr_zero(ctx.exec);
  BarrierArrival arrival;
  arrival.id = op.value & 15;
  arrival.threads = op.value >> 16;
  if ((op.aux[1] & 1) != 0) {
    arrival.id = row(ctx, op.src[0])[first] & 15;
  }
  if ((op.aux[1] & 2) != 0) {
    const std::uint32_t v = row(ctx, op.src[1])[first];
    arrival.threads = v >> 16 != 0 ? v >> 16 & 0xfff : v & 0xfff;
  }
  if ((op.aux[0] & 3) == kReduce) {
    arrival.reduction = static_cast<BarrierReduction>(1 + (op.aux[0] >> 2));
  }
  return arrival;
}

/// aux[0]: mode | reduction << 2
void bar(Context& ctx, const MicroOp& op) {
  WarpState& warp = ctx.warp;
  const unsigned mode = op.aux[0] & 3;
  const BarrierArrival arrival = barrier_of(ctx, op);
  ctx.result.barrier_id = static_cast<std::uint8_t>(arrival.id);
  if (mode == kReduce) {
    warp.last_barrier = static_cast<std::uint8_t>(arrival.id);
    contribute(ctx.cta, arrival, ctx.exec, predicate(ctx, op.psrc[0]));
  }
  if (mode == kArrive) {
    arrive(ctx.cta, warp, arrival, false);
    ctx.result.event = StepEvent::arrive;
    return;
  }
  if (ctx.exec == live_lanes(warp)) {
    arrive(ctx.cta, warp, arrival, true);
    ctx.result.event = StepEvent::barrier;
    return;
  }
  // A part of the warp: it waits for the rest, which arrives when all live lanes have. The count is
  // kept in sync_mask.
  park(warp, ctx.exec, ctx.pc, static_cast<std::int8_t>(kWaitsCta + static_cast<int>(arrival.id)),
       arrival.threads);
  settle_waiting(ctx);
}

Handler lower_bar(Lowering& low) {
  const unsigned mode = low.modifier(Modifier::mode);
  const unsigned reduction = low.modifier(Modifier::red);
  const isa::Operand& id = low.operand(0);
  const isa::Operand& count = low.operand(1);
  low.psrc(0, 2);
  low.op.value = 0;
  if (id.kind == OperandKind::reg) {
    low.src(0, 0);
    low.op.aux[1] |= 1;
  } else {
    low.op.value = static_cast<std::uint32_t>(id.value & 15);
  }
  if (count.kind == OperandKind::reg) {
    low.src(1, 1);
    low.op.aux[1] |= 2;
  } else if (count.kind == OperandKind::immediate) {
    low.op.value |= static_cast<std::uint32_t>(count.value & 0xfff) << 16;
  }
  if (mode > kReduce || (mode == kReduce && (reduction < 4 || reduction > 6))) {
    return nullptr;
  }
  low.op.aux[0] = static_cast<std::uint8_t>(mode | (mode == kReduce ? reduction - 4 : 0) << 2);
  return bar;
}

/// Result of the warp's last BAR.RED: the count in a register, whether it is not zero in a
/// predicate.
void b2r_result(Context& ctx, const MicroOp& op) {
  const std::uint32_t value = ctx.cta.reduction[ctx.warp.last_barrier];
  for_lanes(ctx, row(ctx, op.dst), [=](int) { return value; });
  set_predicate(ctx, op.pdst[0], value != 0 ? kAllLanes : 0);
}

void nop(Context&, const MicroOp&) {}

void trap(Context& ctx, const MicroOp&) {
  throw_fault(ctx, "trap", std::countr_zero(ctx.exec));
}

/// src[0]: generic address, aux[1]: 0 global, 1 local, 2 shared.
void qspc(Context& ctx, const MicroOp& op) {
  global_addresses(ctx, op);
  const auto& a = ctx.result.access.address;
  std::uint32_t lanes = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    const bool shared = a[l] >> kWindowShift == kSharedWindow >> kWindowShift;
    const bool local = a[l] >> kWindowShift == kLocalWindow >> kWindowShift;
    const bool hit = op.aux[1] == 0 ? !shared && !local : op.aux[1] == 1 ? local : shared;
    lanes |= (hit ? 1U : 0U) << l;
  }
  set_predicate(ctx, op.pdst[0], lanes);
}
} // namespace

Handler select_barrier(Lowering& low) {
  switch (low.in.opcode) {
  case Opcode::BAR:
    return lower_bar(low);
  case Opcode::B2R:
    low.dst(0);
    low.pdst(0, 1);
    return low.modifier(Modifier::mode) == 2 ? b2r_result : nullptr;
  case Opcode::BPT:
    return trap;
  case Opcode::QSPC:
    low.pdst(0, 0);
    lower_address(low, 2, low.modifier(Modifier::E_) != 0);
    low.op.aux[1] = static_cast<std::uint8_t>(low.modifier(Modifier::space));
    return qspc;
  case Opcode::NOP:
  case Opcode::MEMBAR:
  case Opcode::ERRBAR:
  case Opcode::PMTRIG: // counts an event for a profiler
  case Opcode::CCTL:
  case Opcode::CCTLL:
  case Opcode::DEPBAR:
  case Opcode::LDGDEPBAR:
    return nop; // memory is coherent, and asynchronous copies are done at once
  default:
    return nullptr;
  }
}

} // namespace coulomb::functional
