// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/integer_math.hpp"
#include "sim/functional/lanes.hpp"
#include "sim/functional/lowering.hpp"

/// Bit fields of the uniform datapath, and moves between uniform registers and uniform predicates.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;

/// aux[0] = .W, aux[1] = signed
void usgxt(Context& ctx, const MicroOp& op) {
  *row(ctx, op.dst) =
      extend_field(*row(ctx, op.src[0]), *row(ctx, op.src[1]), op.aux[0] != 0, op.aux[1] != 0);
}

/// aux[0] = .W
void ubmsk(Context& ctx, const MicroOp& op) {
  *row(ctx, op.dst) = bit_mask(*row(ctx, op.src[0]), *row(ctx, op.src[1]), op.aux[0] != 0);
}

/// value = mask of the predicates that are moved
void up2ur(Context& ctx, const MicroOp& op) {
  std::uint32_t bits = 0;
  for (unsigned p = 0; p < 7; ++p) {
    bits |= (ctx.warp.uniform_predicates[p] ? 1U : 0U) << p;
  }
  *row(ctx, op.dst) = (*row(ctx, op.src[0]) & ~op.value) | (bits & op.value);
}

void ur2up(Context& ctx, const MicroOp& op) {
  const std::uint32_t bits = *row(ctx, op.src[0]);
  for (unsigned p = 0; p < 7; ++p) {
    if ((op.value >> p & 1U) != 0) {
      ctx.warp.uniform_predicates[p] = (bits >> p & 1U) != 0;
    }
  }
}

Handler lower_field(Lowering& low, Handler handler) {
  low.uniform_dst(0);
  low.src(0, 1);
  low.src(1, 2);
  low.op.aux[0] = static_cast<std::uint8_t>(low.modifier(Modifier::W_));
  low.op.aux[1] = static_cast<std::uint8_t>(low.modifier(Modifier::sign));
  return handler;
}
} // namespace

Handler select_uniform_bits(Lowering& low) {
  switch (low.in.opcode) {
  case Opcode::USGXT:
    return lower_field(low, usgxt);
  case Opcode::UBMSK:
    return lower_field(low, ubmsk);
  case Opcode::UP2UR:
    low.uniform_dst(0);
    low.src(0, 2);
    low.op.value = static_cast<std::uint32_t>(low.operand(3).value) & 0x7f;
    return up2ur;
  case Opcode::UR2UP:
    low.src(0, 1);
    low.op.value = static_cast<std::uint32_t>(low.operand(2).value) & 0x7f;
    return ur2up;
  default:
    return nullptr;
  }
}

} // namespace coulomb::functional
