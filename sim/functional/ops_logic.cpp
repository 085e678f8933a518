// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/integer_math.hpp"
#include "sim/functional/lanes.hpp"
#include "sim/functional/lowering.hpp"

#include <array>
#include <utility>

/// LOP3, PLOP3 and the moves between predicates and registers.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;

/// With the table known at compile time, the formula folds to one to three operations.
template <unsigned Lut>
void lop3_fixed(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) { return lop3(Lut, a[l], b[l], c[l]); });
}

/// aux[0] = truth table, aux[1] = .PAND
void lop3_general(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  const unsigned lut = op.aux[0];
  alignas(64) std::uint32_t r[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    r[l] = lop3(lut, a[l], b[l], c[l]);
  }
  if (op.pdst[0] != 7) {
    const std::uint32_t nonzero = lanes_where([&](int l) { return r[l] != 0; });
    const std::uint32_t p = predicate(ctx, op.psrc[0]);
    set_predicate(ctx, op.pdst[0], op.aux[1] != 0 ? nonzero & p : nonzero | p);
  }
  store_row(ctx, row(ctx, op.dst), r);
}

/// The tables that compiled code uses most, by frequency in it.
using CommonTables = std::integer_sequence<unsigned,
                                           0xc0,
                                           0x96,
                                           0x3c,
                                           0xfc,
                                           0xe2,
                                           0xe8,
                                           0xb4,
                                           0xb8,
                                           0xf8,
                                           0x33,
                                           0xfe,
                                           0x48,
                                           0x2d,
                                           0xc8,
                                           0x78,
                                           0xac,
                                           0xf3,
                                           0xf6,
                                           0xca,
                                           0x30,
                                           0x0c,
                                           0xe4,
                                           0xcf,
                                           0xc3,
                                           0x1e,
                                           0x80,
                                           0x0f,
                                           0x3f>;

template <unsigned... Luts>
Handler common_lop3(unsigned lut, std::integer_sequence<unsigned, Luts...>) {
  Handler handler = nullptr;
  ((lut == Luts ? void(handler = lop3_fixed<Luts>) : void()), ...);
  return handler;
}

Handler lower_lop3(Lowering& low) {
  low.pdst(0, 0);
  low.dst(1);
  for (int i = 0; i < 3; ++i) {
    low.src(i, 2 + i);
  }
  const auto lut = static_cast<unsigned>(low.operand(5).value & 0xff);
  low.psrc(0, 6);
  low.op.aux[0] = static_cast<std::uint8_t>(lut);
  low.op.aux[1] = static_cast<std::uint8_t>(low.modifier(Modifier::PAND));
  if (low.op.pdst[0] == 7) {
    if (const Handler handler = common_lop3(lut, CommonTables{}); handler != nullptr) {
      return handler;
    }
  }
  return lop3_general;
}

/// aux[0], aux[1]: the two truth tables.
void plop3(Context& ctx, const MicroOp& op) {
  const std::uint32_t a = predicate(ctx, op.psrc[0]);
  const std::uint32_t b = predicate(ctx, op.psrc[1]);
  const std::uint32_t c = predicate(ctx, op.psrc[2]);
  set_predicate(ctx, op.pdst[0], lop3(op.aux[0], a, b, c));
  set_predicate(ctx, op.pdst[1], lop3(op.aux[1], a, b, c));
}

/// The same with the sign bits of registers.
void plop3_sign(Context& ctx, const MicroOp& op) {
  const std::uint32_t a = top_bits(row(ctx, op.src[0]));
  const std::uint32_t b = top_bits(row(ctx, op.src[1]));
  const std::uint32_t c = top_bits(row(ctx, op.src[2]));
  set_predicate(ctx, op.pdst[0], lop3(op.aux[0], a, b, c));
  set_predicate(ctx, op.pdst[1], lop3(op.aux[1], a, b, c));
}

Handler lower_plop3(Lowering& low) {
  low.pdst(0, 0);
  low.pdst(1, 1);
  low.op.aux[0] = static_cast<std::uint8_t>(low.operand(5).value);
  low.op.aux[1] = static_cast<std::uint8_t>(low.operand(6).value);
  const bool signs = low.operand(2).kind == isa::OperandKind::reg;
  for (int i = 0; i < 3; ++i) {
    if (signs) {
      low.src(i, 2 + i);
    } else {
      low.psrc(i, 2 + i);
    }
  }
  return signs ? plop3_sign : plop3;
}

/// value = mask, aux[0] = byte of the register.
void p2r(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const unsigned shift = 8U * op.aux[0];
  const std::uint32_t mask = (op.value & 0x7f) << shift;
  alignas(64) std::uint32_t bits[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    std::uint32_t v = 0;
    for (unsigned p = 0; p < 7; ++p) {
      v |= (ctx.warp.predicates[p] >> l & 1U) << p;
    }
    bits[l] = v << shift;
  }
  for_lanes(ctx, row(ctx, op.dst), [&](int l) { return (a[l] & ~mask) | (bits[l] & mask); });
}

void r2p(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  for (unsigned p = 0; p < 7; ++p) {
    if ((op.value >> p & 1U) != 0) {
      const unsigned bit = 8U * op.aux[0] + p;
      set_predicate(ctx, static_cast<std::uint8_t>(p),
                    lanes_where([&](int l) { return (a[l] >> bit & 1U) != 0; }));
    }
  }
}
} // namespace

Handler select_logic(Lowering& low) {
  switch (low.in.opcode) {
  case Opcode::LOP3_LUT:
    return lower_lop3(low);
  case Opcode::PLOP3_LUT:
    return lower_plop3(low);
  case Opcode::P2R:
    low.dst(0);
    low.src(0, 2);
    low.op.value = static_cast<std::uint32_t>(low.operand(3).value);
    low.op.aux[0] = low.modifier(Modifier::dst) & 3;
    return p2r;
  case Opcode::R2P:
    low.src(0, 1);
    low.op.value = static_cast<std::uint32_t>(low.operand(2).value);
    low.op.aux[0] = low.operand(1).select & 3;
    return r2p;
  default:
    return nullptr;
  }
}

} // namespace coulomb::functional
