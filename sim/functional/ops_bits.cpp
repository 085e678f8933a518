// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/integer_math.hpp"
#include "sim/functional/lanes.hpp"
#include "sim/functional/lowering.hpp"

/// Shifts, permutes, bit counts, bit fields, packed bytes.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;

void shift_left(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* s = row(ctx, op.src[1]);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) { return s[l] < 32 ? a[l] << (s[l] & 31) : 0U; });
}

void shift_right(Context& ctx, const MicroOp& op) {
  const std::uint32_t* s = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) { return s[l] < 32 ? c[l] >> (s[l] & 31) : 0U; });
}

void shift_right_signed(Context& ctx, const MicroOp& op) {
  const std::uint32_t* s = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(c[l]) >> std::min(s[l], 31U));
  });
}

/// SHF.L.W.U32.HI: funnel left, wrapping; a rotation when both sources are the same.
void funnel_left_wrap(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* s = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) {
    const std::uint32_t n = s[l] & 31;
    return c[l] << n | a[l] >> 1 >> (31 - n);
  });
}

/// aux[0] = R | W << 1 | HI << 2, aux[1] = type.
void shift_general(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* s = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  const ShiftKind kind{.right = (op.aux[0] & 1) != 0,
                       .wrap = (op.aux[0] & 2) != 0,
                       .hi = (op.aux[0] & 4) != 0,
                       .type = op.aux[1]};
  for_lanes(ctx, row(ctx, op.dst), [&](int l) { return funnel_shift(kind, a[l], s[l], c[l]); });
}

Handler lower_shf(Lowering& low) {
  low.dst(0);
  for (int i = 0; i < 3; ++i) {
    low.src(i, 1 + i);
  }
  const unsigned type = low.modifier(Modifier::type);
  const unsigned bits = low.modifier(Modifier::dir) | low.modifier(Modifier::W_) << 1 |
                        low.modifier(Modifier::HI) << 2;
  low.op.aux[0] = static_cast<std::uint8_t>(bits);
  low.op.aux[1] = static_cast<std::uint8_t>(type);
  const bool narrow = type >= 2;
  if (narrow && bits == 0) {
    return shift_left;
  }
  if (narrow && bits == 5) {
    return type == 3 ? shift_right : shift_right_signed;
  }
  return narrow && bits == 6 ? funnel_left_wrap : shift_general;
}

/// Selector nibbles of the PRMT modes other than the default, for selector value 0..3 (PTX prmt).
constexpr std::uint16_t kPrmtSelectors[7][4] = {
    {},
    {0x3210, 0x4321, 0x5432, 0x6543}, // F4E
    {0x5670, 0x6701, 0x7012, 0x0123}, // B4E
    {0x0000, 0x1111, 0x2222, 0x3333}, // RC8
    {0x3210, 0x3211, 0x3222, 0x3333}, // ECL
    {0x0000, 0x1110, 0x2210, 0x3210}, // ECR
    {0x1010, 0x3232, 0x1010, 0x3232}, // RC16
};

void prmt(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  const unsigned mode = op.aux[0];
  for_lanes(ctx, row(ctx, op.dst), [&](int l) {
    return permute_bytes(a[l], mode == 0 ? b[l] : kPrmtSelectors[mode][b[l] & 3], c[l]);
  });
}

/// Unary bit operations; source 0 may be inverted. aux[0], aux[1]: signed, shift form of FLO.
struct Popc {
  std::uint32_t operator()(std::uint32_t v, const MicroOp&) const {
    return static_cast<std::uint32_t>(std::popcount(v));
  }
};
struct Flo {
  std::uint32_t operator()(std::uint32_t v, const MicroOp& op) const {
    return find_leading_one(v, op.aux[0] != 0, op.aux[1] != 0);
  }
};
struct Brev {
  std::uint32_t operator()(std::uint32_t v, const MicroOp&) const { return bit_reverse(v); }
};

template <class F>
void unary(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t flip = 0U - (op.modifiers & 1U);
  for_lanes(ctx, row(ctx, op.dst), [&](int l) { return F{}(a[l] ^ flip, op); });
}

void flo_predicate(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t flip = 0U - (op.modifiers & 1U);
  const std::uint32_t none = lanes_where([&](int l) { return Flo{}(a[l] ^ flip, op) == ~0U; });
  unary<Flo>(ctx, op);
  set_predicate(ctx, op.pdst[0], ~none);
}

/// aux[0] = .W
void bmsk(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const bool wrap = op.aux[0] != 0;
  for_lanes(ctx, row(ctx, op.dst), [=](int l) { return bit_mask(a[l], b[l], wrap); });
}

/// aux[0] = .W, aux[1] = signed
void sgxt(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const bool wrap = op.aux[0] != 0;
  const bool is_signed = op.aux[1] != 0;
  for_lanes(ctx, row(ctx, op.dst),
            [=](int l) { return extend_field(a[l], b[l], wrap, is_signed); });
}

/// aux[0] = signed
void vabsdiff(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  const bool is_signed = op.aux[0] != 0;
  for_lanes(ctx, row(ctx, op.dst), [&](int l) {
    const bool less = relation(a[l], b[l], is_signed) == 1;
    return (less ? b[l] - a[l] : a[l] - b[l]) + c[l];
  });
}

/// aux[0] = signed, aux[1] = .ACC
void vabsdiff4(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  const bool is_signed = op.aux[0] != 0;
  const bool accumulate = op.aux[1] != 0;
  for_lanes(ctx, row(ctx, op.dst), [&](int l) {
    std::uint32_t packed = 0;
    std::uint32_t sum = 0;
    for (unsigned i = 0; i < 32; i += 8) {
      const auto x = static_cast<int>(a[l] >> i & 0xff);
      const auto y = static_cast<int>(b[l] >> i & 0xff);
      const int d = is_signed ? static_cast<std::int8_t>(x) - static_cast<std::int8_t>(y) : x - y;
      const std::uint32_t magnitude = static_cast<std::uint32_t>(d < 0 ? -d : d);
      packed |= (magnitude & 0xff) << i;
      sum += magnitude;
    }
    return accumulate ? sum + c[l] : packed;
  });
}

/// Saturates a signed value to U8, S8, U16, S16 (type 0..3); the low bits of the result.
std::uint32_t saturate(std::uint32_t v, unsigned type) {
  constexpr std::int32_t kLow[4] = {0, -128, 0, -32768};
  constexpr std::int32_t kHigh[4] = {255, 127, 65535, 32767};
  return static_cast<std::uint32_t>(
      std::clamp(static_cast<std::int32_t>(v), kLow[type], kHigh[type]));
}

void i2i(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  for_lanes(ctx, row(ctx, op.dst), [&](int l) { return saturate(a[l], op.aux[0]); });
}

/// What I2IP packs, by the encoded type: width and signedness of a result.
struct PackedType {
  unsigned bits;
  bool is_signed;
};
constexpr PackedType kPackedTypes[8] = {{8, false}, {8, true}, {16, false}, {16, true},
                                        {2, false}, {2, true}, {4, false},  {4, true}};

/// The signed `v`, saturated to `type`; its low bits.
std::uint32_t saturate_packed(std::uint32_t v, PackedType type) {
  const std::int64_t low = type.is_signed ? -(std::int64_t{1} << (type.bits - 1)) : 0;
  const std::int64_t high = low + (std::int64_t{1} << type.bits) - 1;
  const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << type.bits) - 1);
  return static_cast<std::uint32_t>(
             std::clamp<std::int64_t>(static_cast<std::int32_t>(v), low, high)) &
         mask;
}

/// Packs two saturated values, the first above the second, below c (shifted up by their width), as
/// PTX cvt.pack does. aux[0]: type.
void i2ip(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  const PackedType type = kPackedTypes[op.aux[0] & 7];
  for_lanes(ctx, row(ctx, op.dst), [&](int l) {
    const std::uint32_t pair =
        saturate_packed(a[l], type) << type.bits | saturate_packed(b[l], type);
    return type.bits == 16 ? pair : c[l] << 2 * type.bits | pair;
  });
}

Handler lower_unary(Lowering& low, Handler handler) {
  low.dst(0);
  low.src(0, 1);
  return handler;
}

Handler lower_flo(Lowering& low) {
  low.dst(0);
  low.pdst(0, 1);
  low.src(0, 2);
  low.op.aux[0] = static_cast<std::uint8_t>(low.modifier(Modifier::sign));
  low.op.aux[1] = static_cast<std::uint8_t>(low.modifier(Modifier::SH));
  return low.op.pdst[0] == 7 ? unary<Flo> : flo_predicate;
}

/// dst, a, b with one or two modifiers in aux.
Handler lower_binary(Lowering& low, Handler handler, unsigned first, unsigned second) {
  low.dst(0);
  low.src(0, 1);
  low.src(1, 2);
  low.op.aux[0] = static_cast<std::uint8_t>(first);
  low.op.aux[1] = static_cast<std::uint8_t>(second);
  return handler;
}

/// dst, P (unused by the compiler), a, b, c.
Handler lower_absolute_difference(Lowering& low, Handler handler) {
  low.dst(0);
  low.pdst(0, 1);
  if (low.op.pdst[0] != 7) {
    return nullptr;
  }
  for (int i = 0; i < 3; ++i) {
    low.src(i, 2 + i);
  }
  low.op.aux[0] = static_cast<std::uint8_t>(low.modifier(Modifier::sign));
  low.op.aux[1] = static_cast<std::uint8_t>(low.modifier(Modifier::ACC));
  return handler;
}

Handler lower_ternary(Lowering& low, Handler handler, unsigned aux);

/// The part of c that the result keeps goes with the type: 16, 28 or 24 bits.
Handler lower_i2ip(Lowering& low) {
  constexpr std::uint8_t kKept[4] = {0, 0, 3, 2};
  const unsigned type = low.modifier(Modifier::dst);
  return low.operand(3).select == kKept[type / 2] ? lower_ternary(low, i2ip, type) : nullptr;
}

Handler lower_ternary(Lowering& low, Handler handler, unsigned aux) {
  low.dst(0);
  for (int i = 0; i < 3; ++i) {
    low.src(i, 1 + i);
  }
  low.op.aux[0] = static_cast<std::uint8_t>(aux);
  return handler;
}
} // namespace

Handler select_bits(Lowering& low) {
  switch (low.in.opcode) {
  case Opcode::SHF:
    return lower_shf(low);
  case Opcode::PRMT:
    return low.modifier(Modifier::mode) > 6
               ? nullptr
               : lower_ternary(low, prmt, low.modifier(Modifier::mode));
  case Opcode::POPC:
    return lower_unary(low, unary<Popc>);
  case Opcode::BREV:
    return lower_unary(low, unary<Brev>);
  case Opcode::FLO:
    return lower_flo(low);
  case Opcode::BMSK:
    return lower_binary(low, bmsk, low.modifier(Modifier::W_), 0);
  case Opcode::SGXT:
    return lower_binary(low, sgxt, low.modifier(Modifier::W_), low.modifier(Modifier::sign));
  case Opcode::VABSDIFF:
    return lower_absolute_difference(low, vabsdiff);
  case Opcode::VABSDIFF4:
    return lower_absolute_difference(low, vabsdiff4);
  case Opcode::I2I:
    low.op.aux[0] = low.modifier(Modifier::dst) & 3;
    return lower_unary(low, i2i);
  case Opcode::I2IP:
    return lower_i2ip(low);
  default:
    return nullptr;
  }
}

} // namespace coulomb::functional
