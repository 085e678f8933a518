// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/integer_math.hpp"
#include "sim/functional/lanes.hpp"
#include "sim/functional/lowering.hpp"

/// Integer adds, compares, selects and moves.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;

/// All ones if source `i` is negated or inverted.
std::uint32_t flip_mask(const MicroOp& op, int i) {
  return 0U - ((op.modifiers >> i) & 1U);
}

void mov(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) { return a[l]; });
}

void iadd3(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) { return a[l] + b[l] + c[l]; });
}

void iadd3_negated(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  const std::uint32_t na = flip_mask(op, 0);
  const std::uint32_t nb = flip_mask(op, 1);
  const std::uint32_t nc = flip_mask(op, 2);
  const std::uint32_t ones = static_cast<std::uint32_t>(std::popcount(op.modifiers & 7U));
  for_lanes(ctx, row(ctx, op.dst),
            [=](int l) { return (a[l] ^ na) + (b[l] ^ nb) + (c[l] ^ nc) + ones; });
}

/// With carry in (.X, aux[0] = 1) or carry out: a negated source counts as ~x + 1 in 33 bits.
void iadd3_carry(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  const std::uint32_t na = flip_mask(op, 0);
  const std::uint32_t nb = flip_mask(op, 1);
  const std::uint32_t nc = flip_mask(op, 2);
  const bool x = op.aux[0] != 0;
  const std::uint32_t ones = x ? 0 : static_cast<std::uint32_t>(std::popcount(op.modifiers & 7U));
  const std::uint32_t p = x ? predicate(ctx, op.psrc[0]) : 0;
  const std::uint32_t q = x ? predicate(ctx, op.psrc[1]) : 0;
  alignas(64) std::uint32_t sum[kLanes];
  alignas(64) std::uint32_t carry[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    const std::uint64_t s = std::uint64_t{a[l] ^ na} + (b[l] ^ nb) + (c[l] ^ nc) + ones +
                            ((p >> l) & 1U) + ((q >> l) & 1U);
    sum[l] = static_cast<std::uint32_t>(s);
    carry[l] = static_cast<std::uint32_t>(s >> 32);
  }
  set_predicate(ctx, op.pdst[0], lanes_where([&](int l) { return carry[l] >= 1; }));
  set_predicate(ctx, op.pdst[1], lanes_where([&](int l) { return carry[l] >= 2; }));
  store_row(ctx, row(ctx, op.dst), sum);
}

Handler lower_iadd3(Lowering& low) {
  low.dst(0);
  low.pdst(0, 1);
  low.pdst(1, 2);
  for (int i = 0; i < 3; ++i) {
    low.src(i, 3 + i);
  }
  low.psrc(0, 6);
  low.psrc(1, 7);
  low.op.aux[0] = static_cast<std::uint8_t>(low.modifier(Modifier::X_));
  if (low.op.aux[0] != 0 || low.op.pdst[0] != 7 || low.op.pdst[1] != 7) {
    return iadd3_carry;
  }
  return low.has_modifiers() ? iadd3_negated : iadd3;
}

/// aux[0]: comparison code, aux[1]: bool op | EX << 2.
template <bool Signed>
void isetp(Context& ctx, const MicroOp& op) {
  using T = std::conditional_t<Signed, std::int32_t, std::uint32_t>;
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t lt =
      lanes_where([=](int l) { return static_cast<T>(a[l]) < static_cast<T>(b[l]); });
  const std::uint32_t eq = lanes_where([=](int l) { return a[l] == b[l]; });
  const unsigned code = op.aux[0];
  std::uint32_t t = ((code & 1) != 0 ? lt : 0) | ((code & 4) != 0 ? ~(lt | eq) : 0);
  const bool extended = (op.aux[1] & 4) != 0;
  if (!extended || code == 0 || code == 7) {
    t |= (code & 2) != 0 ? eq : 0;
  } else {
    t |= eq & predicate(ctx, op.psrc[1]); // equal high words: the low words decide
  }
  const std::uint32_t p = predicate(ctx, op.psrc[0]);
  const unsigned bool_op = op.aux[1] & 3;
  const std::uint32_t first = combine(bool_op, t, p);
  set_predicate(ctx, op.pdst[1], combine(bool_op, ~t, p));
  set_predicate(ctx, op.pdst[0], first);
}

Handler lower_isetp(Lowering& low) {
  low.pdst(0, 0);
  low.pdst(1, 1);
  low.src(0, 2);
  low.src(1, 3);
  low.psrc(0, 4);
  low.psrc(1, 5);
  low.op.aux[0] = static_cast<std::uint8_t>(low.modifier(Modifier::cmp));
  low.op.aux[1] =
      static_cast<std::uint8_t>(low.modifier(Modifier::bool_op) | low.modifier(Modifier::EX) << 2);
  return low.modifier(Modifier::sign) != 0 ? isetp<true> : isetp<false>;
}

void sel(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  alignas(64) std::uint32_t m[kLanes];
  expand_mask(predicate(ctx, op.psrc[0]), m);
  for_lanes(ctx, row(ctx, op.dst), [&](int l) { return (a[l] & m[l]) | (b[l] & ~m[l]); });
}

template <bool Signed>
void imnmx(Context& ctx, const MicroOp& op) {
  using T = std::conditional_t<Signed, std::int32_t, std::uint32_t>;
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  alignas(64) std::uint32_t m[kLanes];
  expand_mask(predicate(ctx, op.psrc[0]), m);
  for_lanes(ctx, row(ctx, op.dst), [&](int l) {
    const bool less = static_cast<T>(a[l]) < static_cast<T>(b[l]);
    const std::uint32_t lo = less ? a[l] : b[l];
    const std::uint32_t hi = less ? b[l] : a[l];
    return (lo & m[l]) | (hi & ~m[l]);
  });
}

void iabs(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) {
    const std::uint32_t s = 0U - (a[l] >> 31);
    return (a[l] ^ s) - s;
  });
}

/// Plain LEA without modifiers: d = (a << s) + b; aux[0] = s.
void lea_plain(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const unsigned s = op.aux[0];
  for_lanes(ctx, row(ctx, op.dst), [=](int l) { return (a[l] << s) + b[l]; });
}

/// aux[0] = shift, aux[1] = HI | X << 1 | SX32 << 2.
void lea_general(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  const LeaKind kind{.hi = (op.aux[1] & 1) != 0,
                     .x = (op.aux[1] & 2) != 0,
                     .sx32 = (op.aux[1] & 4) != 0,
                     .negate_a = (op.modifiers & 1) != 0,
                     .negate_b = (op.modifiers & 2) != 0,
                     .shift = op.aux[0]};
  const std::uint32_t p = predicate(ctx, op.psrc[0]);
  alignas(64) std::uint32_t sum[kLanes];
  alignas(64) std::uint32_t carry[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    const std::uint64_t s = lea(kind, a[l], b[l], c[l], (p >> l) & 1U);
    sum[l] = static_cast<std::uint32_t>(s);
    carry[l] = static_cast<std::uint32_t>(s >> 32);
  }
  if (op.pdst[0] != 7) {
    set_predicate(ctx, op.pdst[0], lanes_where([&](int l) { return carry[l] != 0; }));
  }
  store_row(ctx, row(ctx, op.dst), sum);
}

Handler lower_lea(Lowering& low) {
  low.dst(0);
  low.pdst(0, 1);
  for (int i = 0; i < 3; ++i) {
    low.src(i, 2 + i);
  }
  low.op.aux[0] = static_cast<std::uint8_t>(low.operand(5).value & 31);
  low.psrc(0, 6);
  low.op.aux[1] =
      static_cast<std::uint8_t>(low.modifier(Modifier::HI) | low.modifier(Modifier::X_) << 1 |
                                low.modifier(Modifier::SX32) << 2);
  const bool plain = low.op.aux[1] == 0 && !low.has_modifiers() && low.op.pdst[0] == 7;
  return plain ? lea_plain : lea_general;
}
} // namespace

Handler select_integer(Lowering& low) {
  switch (low.in.opcode) {
  case Opcode::MOV:
    low.dst(0);
    low.src(0, 1);
    return mov;
  case Opcode::IADD3:
    return lower_iadd3(low);
  case Opcode::ISETP:
    return lower_isetp(low);
  case Opcode::SEL:
  case Opcode::IMNMX:
    low.dst(0);
    low.src(0, 1);
    low.src(1, 2);
    low.psrc(0, 3);
    if (low.in.opcode == Opcode::SEL) {
      return sel;
    }
    return low.modifier(Modifier::sign) != 0 ? imnmx<true> : imnmx<false>;
  case Opcode::IABS:
    low.dst(0);
    low.src(0, 1);
    return iabs;
  case Opcode::LEA:
    return lower_lea(low);
  default:
    return nullptr;
  }
}

} // namespace coulomb::functional
