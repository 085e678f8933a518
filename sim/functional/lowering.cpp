// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/lowering.hpp"

#include "sim/functional/faults.hpp"
#include "sim/functional/lanes.hpp"

#include <array>
#include <cfenv>

namespace coulomb::functional {
namespace {
using isa::Opcode;
using isa::OperandKind;

constexpr std::uint32_t kSign = 0x80000000U;

/// What must hold while the inner handler runs: a broadcast uniform operand, a rounding mode.
void prologue(Context& ctx, const MicroOp& op) {
  if (op.uniform != kNoUniform) {
    const unsigned u = op.uniform;
    const std::uint32_t lo = ctx.warp.uniform[u];
    const std::uint32_t hi = u + 1 < ctx.warp.uniform.size() ? ctx.warp.uniform[u + 1] : 0;
    for (int l = 0; l < kLanes; ++l) {
      ctx.scratch[kScratchUniform][l] = lo;
      ctx.scratch[kScratchUniform + 1][l] = hi;
    }
  }
  if (op.rounding == 0) {
    op.inner(ctx, op);
    return;
  }
  constexpr std::array<int, 4> kModes = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  std::fesetround(kModes[op.rounding & 3]);
  op.inner(ctx, op); // through a pointer, so that no arithmetic moves across the mode changes
  std::fesetround(FE_TONEAREST);
}

void uniform_guard(Context& ctx, const MicroOp& op) {
  if (predicate(ctx, op.aux[2]) != 0) {
    op.inner(ctx, op);
  } else {
    ctx.result.executed = 0;
  }
}

void unsupported(Context& ctx, const MicroOp& op) {
  (void)op;
  throw_unsupported(ctx);
}

Handler select(Lowering& lowering) {
  using Select = Handler (*)(Lowering&);
  constexpr std::array kFamilies = {
      Select{select_integer},    Select{select_multiply},     Select{select_bits},
      Select{select_logic},      Select{select_float},        Select{select_double},
      Select{select_half},       Select{select_convert},      Select{select_special},
      Select{select_uniform},    Select{select_uniform_bits}, Select{select_warp},
      Select{select_memory},     Select{select_atomic},       Select{select_constant},
      Select{select_async_copy}, Select{select_branch},       Select{select_convergence},
      Select{select_barrier},    Select{select_tensor}};
  for (const Select family : kFamilies) {
    if (const Handler handler = family(lowering); handler != nullptr) {
      return handler;
    }
  }
  return nullptr;
}
} // namespace

bool is_uniform_opcode(Opcode opcode) {
  switch (opcode) {
  case Opcode::UBMSK:
  case Opcode::UBREV:
  case Opcode::UFLO:
  case Opcode::UIADD3:
  case Opcode::UIMAD:
  case Opcode::UIMAD_WIDE:
  case Opcode::UISETP:
  case Opcode::ULDC:
  case Opcode::ULEA:
  case Opcode::ULOP3_LUT:
  case Opcode::UMOV:
  case Opcode::UP2UR:
  case Opcode::UPLOP3_LUT:
  case Opcode::UPOPC:
  case Opcode::UPRMT:
  case Opcode::UR2UP:
  case Opcode::USEL:
  case Opcode::USGXT:
  case Opcode::USHF:
    return true;
  default:
    return false;
  }
}

void Lowering::dst(int i) {
  const auto& o = operand(i);
  op.dst = o.kind != OperandKind::reg || o.index == isa::kRegisterZero ? scratch_row(kScratchTrash)
                                                                       : register_row(o.index);
}

void Lowering::uniform_dst(int i) {
  const auto& o = operand(i);
  op.dst = o.kind != OperandKind::uniform_reg || o.index == isa::kUniformZero
               ? scratch_row(kScratchTrash)
               : uniform_word(o.index);
}

void Lowering::modifiers(int slot, const isa::Operand& o, SourceType type) {
  const bool folded = type == SourceType::f32 && o.kind == OperandKind::constant;
  if (folded) {
    return;
  }
  if (o.negate || o.invert) {
    op.modifiers |= static_cast<std::uint8_t>(1U << slot);
  }
  if (o.absolute) {
    op.modifiers |= static_cast<std::uint8_t>(1U << (slot + kAbsoluteShift));
  }
}

Row Lowering::word(const isa::Operand& o, unsigned high, SourceType type) {
  const bool scalar = is_uniform_opcode(in.opcode);
  switch (o.kind) {
  case OperandKind::reg:
    return register_row(o.index == isa::kRegisterZero ? o.index : o.index + high);
  case OperandKind::uniform_reg:
    if (scalar) {
      return uniform_word(o.index == isa::kUniformZero ? o.index : o.index + high);
    }
    op.uniform = o.index;
    return scratch_row(kScratchUniform + (o.index == isa::kUniformZero ? 0 : high));
  case OperandKind::constant: {
    if (o.has_uniform) {
      fail();
    }
    const bool fold = type == SourceType::f32;
    return pool_row(pool_.constant(o.bank, static_cast<std::uint32_t>(o.value) + 4 * high,
                                   fold && o.absolute ? ~kSign : ~0U,
                                   fold && o.negate ? kSign : 0));
  }
  case OperandKind::absent:
    return register_row(isa::kRegisterZero);
  default:
    return pool_row(pool_.immediate(static_cast<std::uint32_t>(o.value >> (32 * high))));
  }
}

void Lowering::src(int slot, int i, SourceType type) {
  const auto& o = operand(i);
  op.src[slot] = word(o, 0, type);
  modifiers(slot, o, type);
}

void Lowering::src_of(int slot, const isa::Operand& o) {
  op.src[slot] = word(o, 0, SourceType::integer);
  modifiers(slot, o, SourceType::integer);
}

void Lowering::src64(int slot, int i, SourceType type) {
  const auto& o = operand(i);
  op.src[slot] = word(o, 0, type);
  op.src_hi[slot] = word(o, 1, type);
  modifiers(slot, o, type);
}

void Lowering::pdst(int slot, int i) {
  const auto& o = operand(i);
  op.pdst[slot] = o.kind == OperandKind::absent ? isa::kPredicateTrue : o.index;
}

void Lowering::psrc(int slot, int i) {
  const auto& o = operand(i);
  if (o.kind == OperandKind::absent) {
    op.psrc[slot] = isa::kPredicateTrue;
    return;
  }
  op.psrc[slot] = static_cast<std::uint8_t>(
      o.index | (o.kind == OperandKind::uniform_predicate ? kPredicateUniform : 0) |
      (o.negate ? kPredicateNot : 0));
}

bool lower(const isa::Instruction& instruction, RowPool& pool, MicroOp& op) {
  op = MicroOp{};
  const std::uint8_t guard =
      static_cast<std::uint8_t>(instruction.guard | (instruction.guard_negate ? kPredicateNot : 0));
  Lowering lowering(instruction, op, pool);
  Handler handler = select(lowering);
  if (handler == nullptr || lowering.failed()) {
    op = MicroOp{};
    op.guard = guard;
    op.handler = unsupported;
    return false;
  }
  op.handler = handler;
  if (is_uniform_opcode(instruction.opcode)) {
    if (instruction.has_guard()) {
      op.aux[2] = guard | kPredicateUniform;
      op.inner = handler;
      op.handler = uniform_guard;
    }
    return true;
  }
  op.guard = guard;
  if (op.uniform != kNoUniform || op.rounding != 0) {
    op.inner = handler;
    op.handler = prologue;
  }
  return true;
}

} // namespace coulomb::functional
