// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/lanes.hpp"
#include "sim/functional/lowering.hpp"

/// Integer multiply-adds and dot products.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;

void imad(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) { return a[l] * b[l] + c[l]; });
}

/// IMAD.MOV, the compiler's register copy on the multiply pipe.
void imad_move(Context& ctx, const MicroOp& op) {
  const std::uint32_t* c = row(ctx, op.src[2]);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) { return c[l]; });
}

/// With a negated addend or a carry in (aux[0] = .X).
void imad_general(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  const std::uint32_t flip = 0U - ((op.modifiers >> 2) & 1U);
  const bool x = op.aux[0] != 0;
  const std::uint32_t one = x ? 0 : flip & 1;
  const std::uint32_t p = x ? predicate(ctx, op.psrc[0]) : 0;
  for_lanes(ctx, row(ctx, op.dst),
            [=](int l) { return a[l] * b[l] + (c[l] ^ flip) + one + ((p >> l) & 1U); });
}

template <bool Signed>
std::uint64_t product(std::uint32_t a, std::uint32_t b) {
  if constexpr (Signed) {
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a)} *
                                      static_cast<std::int32_t>(b));
  } else {
    return std::uint64_t{a} * b;
  }
}

template <bool Signed>
void imad_wide(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  const std::uint32_t* ch = row(ctx, op.src_hi[2]);
  for_lanes64(ctx, row(ctx, op.dst),
              [=](int l) { return product<Signed>(a[l], b[l]) + join(c[l], ch[l]); });
}

template <bool Signed>
void imad_hi(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  const std::uint32_t* ch = row(ctx, op.src_hi[2]);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) {
    return static_cast<std::uint32_t>((product<Signed>(a[l], b[l]) + join(c[l], ch[l])) >> 32);
  });
}

/// IMAD.WIDE and IMAD.HI (aux[1] = 1) with negation, carry in (aux[0] = .X) or carry out.
template <bool Signed>
void imad_wide_general(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  const std::uint32_t* ch = row(ctx, op.src_hi[2]);
  const bool x = op.aux[0] != 0;
  const bool negate = (op.modifiers & 4) != 0;
  const std::uint32_t p = x ? predicate(ctx, op.psrc[0]) : 0;
  alignas(64) std::uint32_t lo[kLanes];
  alignas(64) std::uint32_t hi[kLanes];
  std::uint32_t carry = 0;
  for (int l = 0; l < kLanes; ++l) {
    const std::uint64_t addend = negate ? ~join(c[l], ch[l]) : join(c[l], ch[l]);
    const std::uint64_t partial = product<Signed>(a[l], b[l]) + addend;
    const std::uint64_t sum = partial + (negate && !x ? 1 : 0) + ((p >> l) & 1U);
    lo[l] = static_cast<std::uint32_t>(sum);
    hi[l] = static_cast<std::uint32_t>(sum >> 32);
    carry |= (partial < addend || sum < partial ? 1U : 0U) << l;
  }
  set_predicate(ctx, op.pdst[0], carry);
  std::uint32_t* d = row(ctx, op.dst);
  if (op.aux[1] != 0) {
    store_row(ctx, d, hi);
  } else {
    store_row(ctx, d, lo);
    store_row(ctx, d + kLanes, hi);
  }
}

Handler lower_imad(Lowering& low) {
  low.dst(0);
  for (int i = 0; i < 3; ++i) {
    low.src(i, 1 + i);
  }
  low.psrc(0, 4);
  low.op.aux[0] = static_cast<std::uint8_t>(low.modifier(Modifier::X_));
  if (low.op.aux[0] != 0 || low.has_modifiers()) {
    return imad_general;
  }
  const bool zero = low.op.src[0] == register_row(isa::kRegisterZero) ||
                    low.op.src[1] == register_row(isa::kRegisterZero);
  return zero ? imad_move : imad;
}

Handler lower_imad_wide(Lowering& low, bool high) {
  low.dst(0);
  low.pdst(0, 1);
  low.src(0, 2);
  low.src(1, 3);
  low.src64(2, 4);
  low.psrc(0, 5);
  low.op.aux[0] = static_cast<std::uint8_t>(low.modifier(Modifier::X_));
  low.op.aux[1] = high ? 1 : 0;
  const bool is_signed = low.modifier(Modifier::sign) != 0;
  if (low.op.aux[0] != 0 || low.has_modifiers() || low.op.pdst[0] != 7) {
    return is_signed ? imad_wide_general<true> : imad_wide_general<false>;
  }
  if (high) {
    return is_signed ? imad_hi<true> : imad_hi<false>;
  }
  return is_signed ? imad_wide<true> : imad_wide<false>;
}

std::int32_t extend(std::uint32_t v, unsigned bits, bool is_signed) {
  const unsigned s = 32 - bits;
  return is_signed ? static_cast<std::int32_t>(v << s) >> s
                   : static_cast<std::int32_t>(v << s >> s);
}

/// aux[0] = a signed, aux[1] = b signed, value = first byte of b for 2A (0 or 2), ~0 for 4A.
void idp(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  const bool four = op.value == ~0U;
  const bool negate = (op.modifiers & 4) != 0;
  for_lanes(ctx, row(ctx, op.dst), [&](int l) {
    std::uint32_t sum = negate ? 0U - c[l] : c[l];
    for (unsigned i = 0; i < (four ? 4U : 2U); ++i) {
      const std::int32_t x = four ? extend(a[l] >> (8 * i) & 0xff, 8, op.aux[0] != 0)
                                  : extend(a[l] >> (16 * i) & 0xffff, 16, op.aux[0] != 0);
      const unsigned byte = four ? i : op.value + i;
      const std::int32_t y = extend(b[l] >> (8 * byte) & 0xff, 8, op.aux[1] != 0);
      sum += static_cast<std::uint32_t>(x * y);
    }
    return sum;
  });
}

Handler lower_idp(Lowering& low) {
  low.dst(0);
  for (int i = 0; i < 3; ++i) {
    low.src(i, 1 + i);
  }
  const bool two = low.modifier(Modifier::mode) == 1;
  low.op.value = two ? (low.modifier(Modifier::hi) == 3 ? 2 : 0) : ~0U;
  low.op.aux[0] = low.modifier(Modifier::atype) & 1;
  low.op.aux[1] = low.modifier(Modifier::btype) & 1;
  return idp;
}
} // namespace

Handler select_multiply(Lowering& low) {
  switch (low.in.opcode) {
  case Opcode::IMAD:
    return lower_imad(low);
  case Opcode::IMAD_WIDE:
    return lower_imad_wide(low, false);
  case Opcode::IMAD_HI:
    return lower_imad_wide(low, true);
  case Opcode::IDP:
    return lower_idp(low);
  default:
    return nullptr;
  }
}

} // namespace coulomb::functional
