// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/integer_math.hpp"
#include "sim/functional/kernel_impl.hpp"
#include "sim/functional/lanes.hpp"
#include "sim/functional/lowering.hpp"

/// The uniform datapath: scalar values, executed once for the warp, guarded by uniform predicates.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;

std::uint32_t scalar(Context& ctx, const MicroOp& op, int i) {
  return *row(ctx, op.src[i]);
}

/// Source `i` with its negate bit as an inversion.
std::uint32_t flipped(Context& ctx, const MicroOp& op, int i) {
  return scalar(ctx, op, i) ^ (0U - (op.modifiers >> i & 1U));
}

void set_scalar(Context& ctx, const MicroOp& op, std::uint32_t value) {
  *row(ctx, op.dst) = value;
}

void set_scalar64(Context& ctx, const MicroOp& op, std::uint64_t value) {
  std::uint32_t* d = row(ctx, op.dst);
  d[0] = static_cast<std::uint32_t>(value);
  d[1] = static_cast<std::uint32_t>(value >> 32);
}

void set_uniform_predicate(Context& ctx, std::uint8_t p, bool value) {
  if (p != 7) {
    ctx.warp.uniform_predicates[p] = value;
  }
}

bool test(const Context& ctx, std::uint8_t p) {
  return predicate(ctx, p) != 0;
}

void umov(Context& ctx, const MicroOp& op) {
  set_scalar(ctx, op, scalar(ctx, op, 0));
}

/// aux[0] = .X
void uiadd3(Context& ctx, const MicroOp& op) {
  const bool x = op.aux[0] != 0;
  std::uint64_t sum = x ? (test(ctx, op.psrc[0]) ? 1U : 0U) + (test(ctx, op.psrc[1]) ? 1U : 0U)
                        : static_cast<unsigned>(std::popcount(op.modifiers & 7U));
  for (int i = 0; i < 3; ++i) {
    sum += flipped(ctx, op, i);
  }
  set_uniform_predicate(ctx, op.pdst[0], sum >> 32 >= 1);
  set_uniform_predicate(ctx, op.pdst[1], sum >> 32 >= 2);
  set_scalar(ctx, op, static_cast<std::uint32_t>(sum));
}

/// aux[0] = .X
void uimad(Context& ctx, const MicroOp& op) {
  const bool x = op.aux[0] != 0;
  std::uint32_t r = scalar(ctx, op, 0) * scalar(ctx, op, 1) + flipped(ctx, op, 2);
  r += x ? (test(ctx, op.psrc[0]) ? 1U : 0U) : op.modifiers >> 2 & 1U;
  set_scalar(ctx, op, r);
}

/// aux[0] = .X, aux[1] = signed
void uimad_wide(Context& ctx, const MicroOp& op) {
  const std::uint32_t a = scalar(ctx, op, 0);
  const std::uint32_t b = scalar(ctx, op, 1);
  const std::uint64_t product =
      op.aux[1] != 0 ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a)} *
                                                  static_cast<std::int32_t>(b))
                     : std::uint64_t{a} * b;
  const bool x = op.aux[0] != 0;
  const bool negate = (op.modifiers & 4) != 0;
  std::uint64_t c = join(scalar(ctx, op, 2), *row(ctx, op.src_hi[2]));
  c = negate ? ~c : c;
  const unsigned carry = x ? (test(ctx, op.psrc[0]) ? 1U : 0U) : (negate ? 1U : 0U);
  const std::uint64_t partial = product + c;
  const std::uint64_t sum = partial + carry;
  set_uniform_predicate(ctx, op.pdst[0], partial < c || sum < partial);
  set_scalar64(ctx, op, sum);
}

/// aux[0] = comparison | signed << 3, aux[1] = bool op | EX << 2
void uisetp(Context& ctx, const MicroOp& op) {
  const unsigned code = op.aux[0] & 7;
  const unsigned r = relation(scalar(ctx, op, 0), scalar(ctx, op, 1), (op.aux[0] & 8) != 0);
  bool t = (code & r) != 0;
  if ((op.aux[1] & 4) != 0 && r == 2 && code != 0 && code != 7) {
    t = test(ctx, op.psrc[1]);
  }
  const bool p = test(ctx, op.psrc[0]);
  const unsigned bool_op = op.aux[1] & 3;
  set_uniform_predicate(ctx, op.pdst[1], combine<unsigned>(bool_op, t ? 0 : 1, p ? 1 : 0) != 0);
  set_uniform_predicate(ctx, op.pdst[0], combine<unsigned>(bool_op, t ? 1 : 0, p ? 1 : 0) != 0);
}

/// aux[0] = shift, aux[1] = HI | X << 1 | SX32 << 2
void ulea(Context& ctx, const MicroOp& op) {
  const LeaKind kind{.hi = (op.aux[1] & 1) != 0,
                     .x = (op.aux[1] & 2) != 0,
                     .sx32 = (op.aux[1] & 4) != 0,
                     .negate_a = (op.modifiers & 1) != 0,
                     .negate_b = (op.modifiers & 2) != 0,
                     .shift = op.aux[0]};
  const std::uint64_t sum = lea(kind, scalar(ctx, op, 0), scalar(ctx, op, 1), scalar(ctx, op, 2),
                                test(ctx, op.psrc[0]) ? 1 : 0);
  set_uniform_predicate(ctx, op.pdst[0], sum >> 32 != 0);
  set_scalar(ctx, op, static_cast<std::uint32_t>(sum));
}

/// aux[0] = truth table, aux[1] = .PAND
void ulop3(Context& ctx, const MicroOp& op) {
  const std::uint32_t r =
      lop3(op.aux[0], scalar(ctx, op, 0), scalar(ctx, op, 1), scalar(ctx, op, 2));
  const bool p = test(ctx, op.psrc[0]);
  set_uniform_predicate(ctx, op.pdst[0], op.aux[1] != 0 ? r != 0 && p : r != 0 || p);
  set_scalar(ctx, op, r);
}

void uplop3(Context& ctx, const MicroOp& op) {
  const std::uint32_t a = predicate(ctx, op.psrc[0]);
  const std::uint32_t b = predicate(ctx, op.psrc[1]);
  const std::uint32_t c = predicate(ctx, op.psrc[2]);
  set_uniform_predicate(ctx, op.pdst[0], lop3(op.aux[0], a, b, c) != 0);
  set_uniform_predicate(ctx, op.pdst[1], lop3(op.aux[1], a, b, c) != 0);
}

void usel(Context& ctx, const MicroOp& op) {
  set_scalar(ctx, op, scalar(ctx, op, test(ctx, op.psrc[0]) ? 0 : 1));
}

/// aux[0] = R | W << 1 | HI << 2, aux[1] = type
void ushf(Context& ctx, const MicroOp& op) {
  const ShiftKind kind{.right = (op.aux[0] & 1) != 0,
                       .wrap = (op.aux[0] & 2) != 0,
                       .hi = (op.aux[0] & 4) != 0,
                       .type = op.aux[1]};
  set_scalar(ctx, op,
             funnel_shift(kind, scalar(ctx, op, 0), scalar(ctx, op, 1), scalar(ctx, op, 2)));
}

void upopc(Context& ctx, const MicroOp& op) {
  set_scalar(ctx, op, static_cast<std::uint32_t>(std::popcount(flipped(ctx, op, 0))));
}

void ubrev(Context& ctx, const MicroOp& op) {
  set_scalar(ctx, op, bit_reverse(flipped(ctx, op, 0)));
}

void uprmt(Context& ctx, const MicroOp& op) {
  set_scalar(ctx, op, permute_bytes(scalar(ctx, op, 0), scalar(ctx, op, 1), scalar(ctx, op, 2)));
}

/// aux[0] = signed, aux[1] = shift form
void uflo(Context& ctx, const MicroOp& op) {
  const std::uint32_t r = find_leading_one(flipped(ctx, op, 0), op.aux[0] != 0, op.aux[1] != 0);
  set_uniform_predicate(ctx, op.pdst[0], r != ~0U);
  set_scalar(ctx, op, r);
}

/// 64-bit ULDC; narrower ones are lowered to umov (32 bits) or uldc_narrow.
void uldc64(Context& ctx, const MicroOp& op) {
  set_scalar64(ctx, op, join(scalar(ctx, op, 0), *row(ctx, op.src_hi[0])));
}

/// value = bit position of the value in its word, aux[0] = size code (U8, S8, U16, S16)
void uldc_narrow(Context& ctx, const MicroOp& op) {
  const std::uint32_t v = scalar(ctx, op, 0) >> op.value;
  constexpr unsigned kShift[4] = {24, 24, 16, 16};
  const unsigned s = kShift[op.aux[0] & 3];
  const std::uint32_t up = v << s;
  set_scalar(ctx, op,
             (op.aux[0] & 1) != 0 ? static_cast<std::uint32_t>(static_cast<std::int32_t>(up) >> s)
                                  : up >> s);
}

/// Null for the form with an index, which select_constant lowers.
Handler lower_uldc(Lowering& low) {
  if (low.operand(1).kind != isa::OperandKind::constant) {
    return nullptr;
  }
  const unsigned size = low.modifier(Modifier::size);
  low.uniform_dst(0);
  if (size == 4 || size == 5) {
    low.src64(0, 1);
    return size == 4 ? umov : uldc64;
  }
  if (size > 5) {
    return nullptr;
  }
  isa::Instruction aligned = low.in;
  const std::int64_t offset = low.operand(1).value;
  aligned.operands[1].value = offset & ~std::int64_t{3};
  low.op.value = static_cast<std::uint32_t>(8 * (offset & 3));
  low.op.aux[0] = static_cast<std::uint8_t>(size);
  low.src_of(0, aligned.operands[1]);
  return uldc_narrow;
}

void sources(Lowering& low, int first, int count) {
  for (int i = 0; i < count; ++i) {
    low.src(i, first + i);
  }
}

void aux(Lowering& low, unsigned first, unsigned second) {
  low.op.aux[0] = static_cast<std::uint8_t>(first);
  low.op.aux[1] = static_cast<std::uint8_t>(second);
}

Handler lower_arithmetic(Lowering& low) {
  const bool wide = low.in.opcode == Opcode::UIMAD_WIDE;
  low.uniform_dst(0);
  aux(low, low.modifier(Modifier::X_), low.modifier(Modifier::sign));
  if (low.in.opcode == Opcode::UIADD3) {
    low.pdst(0, 1);
    low.pdst(1, 2);
    sources(low, 3, 3);
    low.psrc(0, 6);
    low.psrc(1, 7);
    return uiadd3;
  }
  const int first = wide ? 2 : 1;
  if (wide) {
    low.pdst(0, 1);
  }
  sources(low, first, 2);
  if (wide) {
    low.src64(2, first + 2);
  } else {
    low.src(2, first + 2);
  }
  low.psrc(0, first + 3);
  return wide ? uimad_wide : uimad;
}

Handler lower_uisetp(Lowering& low) {
  low.pdst(0, 0);
  low.pdst(1, 1);
  sources(low, 2, 2);
  low.psrc(0, 4);
  low.psrc(1, 5);
  aux(low, low.modifier(Modifier::cmp) | low.modifier(Modifier::sign) << 3,
      low.modifier(Modifier::bool_op) | low.modifier(Modifier::EX) << 2);
  return uisetp;
}

Handler lower_ulea(Lowering& low) {
  low.uniform_dst(0);
  low.pdst(0, 1);
  sources(low, 2, 3);
  low.psrc(0, 6);
  aux(low, static_cast<unsigned>(low.operand(5).value & 31),
      low.modifier(Modifier::HI) | low.modifier(Modifier::X_) << 1 |
          low.modifier(Modifier::SX32) << 2);
  return ulea;
}

Handler lower_ulop3(Lowering& low) {
  low.pdst(0, 0);
  low.uniform_dst(1);
  sources(low, 2, 3);
  low.psrc(0, 6);
  aux(low, static_cast<unsigned>(low.operand(5).value & 0xff), low.modifier(Modifier::PAND));
  return ulop3;
}

Handler lower_uplop3(Lowering& low) {
  low.pdst(0, 0);
  low.pdst(1, 1);
  for (int i = 0; i < 3; ++i) {
    low.psrc(i, 2 + i);
  }
  aux(low, static_cast<unsigned>(low.operand(5).value & 0xff),
      static_cast<unsigned>(low.operand(6).value & 0xff));
  return uplop3;
}

Handler lower_ushf(Lowering& low) {
  low.uniform_dst(0);
  sources(low, 1, 3);
  aux(low,
      low.modifier(Modifier::dir) | low.modifier(Modifier::W_) << 1 |
          low.modifier(Modifier::HI) << 2,
      low.modifier(Modifier::type));
  return ushf;
}

Handler lower_unary(Lowering& low, Handler handler) {
  low.uniform_dst(0);
  low.src(0, 1);
  return handler;
}
} // namespace

Handler select_uniform(Lowering& low) {
  switch (low.in.opcode) {
  case Opcode::UMOV:
    return lower_unary(low, umov);
  case Opcode::UIADD3:
  case Opcode::UIMAD:
  case Opcode::UIMAD_WIDE:
    return lower_arithmetic(low);
  case Opcode::UISETP:
    return lower_uisetp(low);
  case Opcode::ULEA:
    return lower_ulea(low);
  case Opcode::ULOP3_LUT:
    return lower_ulop3(low);
  case Opcode::UPLOP3_LUT:
    return lower_uplop3(low);
  case Opcode::USEL:
    low.psrc(0, 3);
    low.uniform_dst(0);
    sources(low, 1, 2);
    return usel;
  case Opcode::USHF:
    return lower_ushf(low);
  case Opcode::UPRMT:
    low.uniform_dst(0);
    sources(low, 1, 3);
    return uprmt;
  case Opcode::UPOPC:
    return lower_unary(low, upopc);
  case Opcode::UBREV:
    return lower_unary(low, ubrev);
  case Opcode::UFLO:
    low.uniform_dst(0);
    low.pdst(0, 1);
    low.src(0, 2);
    aux(low, low.modifier(Modifier::sign), low.modifier(Modifier::SH));
    return uflo;
  case Opcode::ULDC:
    return lower_uldc(low);
  default:
    return nullptr;
  }
}

} // namespace coulomb::functional
