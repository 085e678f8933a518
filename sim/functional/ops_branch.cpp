// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/control_flow.hpp"
#include "sim/functional/convergence.hpp"
#include "sim/functional/device_runtime.hpp"
#include "sim/functional/faults.hpp"
#include "sim/functional/kernel_impl.hpp"
#include "sim/functional/lowering.hpp"

#include <fmt/format.h>

/// Branches, calls, returns, exit.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;
using isa::OperandKind;

void check_target(const Context& ctx, std::uint64_t target, int lane) {
  if (target % isa::kInstructionBytes != 0 || target >= ctx.kernel.code_bytes()) {
    throw_fault(ctx, fmt::format("jump to {:#x}, outside the kernel's code", target), lane);
  }
}

/// Backward branches end the turn of a split now and then, so that the others make progress.
void end_turn(Context& ctx, std::uint32_t target) {
  WarpState& warp = ctx.warp;
  if (target <= ctx.pc && !warp.splits.empty() && ++warp.backward_branches >= kTurnBranches) {
    warp.backward_branches = 0;
    if (switch_split(warp)) {
      ctx.result.event = StepEvent::branch;
    }
  }
}

/// Sends `lanes` to `target`; if others stay behind, they go on first.
void branch(Context& ctx, std::uint32_t lanes, std::uint32_t target) {
  WarpState& warp = ctx.warp;
  if (lanes == 0) {
    return;
  }
  if (lanes == warp.active) {
    warp.pc = target;
  } else {
    park(warp, lanes, target);
  }
  ctx.result.event = StepEvent::branch;
  end_turn(ctx, target);
}

void bra(Context& ctx, const MicroOp& op) {
  branch(ctx, taken_lanes(ctx, op), op.value);
}

/// BRA.DIV (aux[0] = 0), BRA.CONV (1): tests whether all live lanes of a mask are executing.
/// src[0]: the mask.
void bra_if_diverged(Context& ctx, const MicroOp& op) {
  const std::uint32_t mask = *row(ctx, op.src[0]) ^ (0U - (op.modifiers & 1U));
  const bool converged = (mask & live_lanes(ctx.warp) & ~ctx.warp.active) == 0;
  if (converged == (op.aux[0] != 0)) {
    branch(ctx, taken_lanes(ctx, op), op.value);
  }
}

Handler lower_bra(Lowering& low) {
  const unsigned div = low.modifier(Modifier::div);
  low.psrc(0, 0);
  low.op.value = static_cast<std::uint32_t>(low.operand(2).value);
  if (div < 2) {
    return low.operand(1).kind == OperandKind::absent ? bra : nullptr;
  }
  const isa::Operand& mask = low.operand(1);
  low.op.src[0] = uniform_word(mask.index);
  low.op.modifiers = mask.invert || mask.negate ? 1 : 0;
  low.op.aux[0] = div == 3 ? 1 : 0;
  return bra_if_diverged;
}

/// Sends each of `lanes` to base + the address in its registers `low`:`high`. Lanes may go to
/// different places; those that call the device runtime go on where they say it returns to.
void jump_to_registers(Context& ctx,
                       std::uint32_t lanes,
                       const std::uint32_t* low,
                       const std::uint32_t* high,
                       std::uint64_t base) {
  WarpState& warp = ctx.warp;
  while (lanes != 0) {
    const int first = std::countr_zero(lanes);
    const std::uint64_t where = join(low[first], high[first]);
    std::uint32_t same = 0;
    each_lane(lanes, [&](int l) { same |= (join(low[l], high[l]) == where ? 1U : 0U) << l; });
    lanes &= ~same;
    const std::uint64_t target = where + base;
    ctx.result.event = StepEvent::branch;
    if (is_runtime_entry(target)) {
      call_runtime(ctx, target, same);
      jump_to_registers(ctx, same, warp.registers[kReturnRegister].data(),
                        warp.registers[kReturnRegister + 1].data(), 0);
      continue;
    }
    check_target(ctx, target, first);
    if (same == warp.active) { // the last group, if none stays behind: it goes on running
      warp.pc = static_cast<std::uint32_t>(target);
    } else {
      park(warp, same, static_cast<std::uint32_t>(target));
    }
  }
}

/// BRX, CALL through a register, RET: value, sign-extended, + the lane's register pair.
void jump_indirect(Context& ctx, const MicroOp& op) {
  const auto base = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(op.value)});
  jump_to_registers(ctx, taken_lanes(ctx, op), row(ctx, op.src[0]), row(ctx, op.src_hi[0]), base);
}

/// Code lies at address 0, so that absolute addresses are offsets in the section like relative
/// ones.
Handler lower_indirect(Lowering& low) {
  const OperandKind kind = low.operand(2).kind;
  if (kind != OperandKind::target && kind != OperandKind::absolute_target) {
    return nullptr;
  }
  low.psrc(0, 0);
  low.src64(0, 1);
  low.op.value = static_cast<std::uint32_t>(low.operand(2).value);
  return jump_indirect;
}

/// Address of this instruction.
void lepc(Context& ctx, const MicroOp& op) {
  const std::uint32_t pc = ctx.pc;
  for_lanes64(ctx, row(ctx, op.dst), [=](int) { return std::uint64_t{pc}; });
}

Handler lower_call(Lowering& low) {
  if (low.operand(1).kind == OperandKind::reg) {
    return lower_indirect(low);
  }
  if (low.operand(1).kind != OperandKind::target) {
    return nullptr;
  }
  low.psrc(0, 0);
  low.op.value = static_cast<std::uint32_t>(low.operand(1).value);
  return bra;
}

void exit_lanes(Context& ctx, const MicroOp& op) {
  WarpState& warp = ctx.warp;
  const std::uint32_t lanes = taken_lanes(ctx, op);
  warp.exited |= lanes;
  warp.active &= ~lanes;
  const bool others = warp.active != 0;
  if (!others || !warp.splits.empty()) {
    settle(ctx);
    if (!others && ctx.result.event == StepEvent::none) {
      ctx.result.event = StepEvent::branch;
    }
  }
}
} // namespace

Handler select_branch(Lowering& low) {
  switch (low.in.opcode) {
  case Opcode::BRA:
    return lower_bra(low);
  case Opcode::BRX:
  case Opcode::RET:
    return lower_indirect(low);
  case Opcode::CALL_REL:
  case Opcode::CALL_ABS:
    return lower_call(low);
  case Opcode::LEPC:
    low.dst(0);
    return lepc;
  case Opcode::EXIT:
    low.psrc(0, 0);
    return exit_lanes;
  default:
    return nullptr;
  }
}

} // namespace coulomb::functional
