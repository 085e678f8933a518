// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/float_math.hpp"
#include "sim/functional/integer_math.hpp"
#include "sim/functional/lanes.hpp"
#include "sim/functional/lowering.hpp"

#include <array>
#include <utility>

/// FP32 arithmetic, selection and comparison.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;

/// What a variant of a handler has to do besides the plain operation.
enum Variant : unsigned { kModified = 1, kFlush = 2, kSaturate = 4, kZeroWins = 8 };

/// A source row with its modifiers.
template <unsigned V>
class Source {
public:
  Source(Context& ctx, const MicroOp& op, int i)
      : lanes_(row(ctx, op.src[i])),
        keep_((op.modifiers >> (i + kAbsoluteShift) & 1U) != 0 ? ~kSignBit : ~0U),
        flip_((op.modifiers >> i & 1U) != 0 ? kSignBit : 0U) {}
  [[nodiscard]] std::uint32_t bits(int l) const {
    std::uint32_t v = lanes_[l];
    if constexpr ((V & kModified) != 0) {
      v = (v & keep_) ^ flip_;
    }
    if constexpr ((V & kFlush) != 0) {
      v = flush(v);
    }
    return v;
  }
  [[nodiscard]] float operator[](int l) const { return as_float(bits(l)); }

private:
  const std::uint32_t* lanes_;
  std::uint32_t keep_;
  std::uint32_t flip_;
};

template <unsigned V>
std::uint32_t finish(float r) {
  std::uint32_t bits = as_bits(r);
  if constexpr ((V & kFlush) != 0) {
    bits = flush(bits);
  }
  return (V & kSaturate) != 0 ? saturate_f32(bits) : canonical(bits);
}

template <unsigned V>
void fadd(Context& ctx, const MicroOp& op) {
  const Source<V> a(ctx, op, 0);
  const Source<V> b(ctx, op, 1);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) { return finish<V>(a[l] + b[l]); });
}

template <unsigned V>
void fmul(Context& ctx, const MicroOp& op) {
  const Source<V> a(ctx, op, 0);
  const Source<V> b(ctx, op, 1);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) {
    if constexpr ((V & kZeroWins) != 0) {
      const bool zero = a[l] == 0.0F || b[l] == 0.0F;
      const std::uint32_t r = finish<V>(a[l] * b[l]);
      return zero ? 0U : r;
    } else {
      return finish<V>(a[l] * b[l]);
    }
  });
}

template <unsigned V>
void ffma(Context& ctx, const MicroOp& op) {
  const Source<V> a(ctx, op, 0);
  const Source<V> b(ctx, op, 1);
  const Source<V> c(ctx, op, 2);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) {
    if constexpr ((V & kZeroWins) != 0) {
      const bool zero = a[l] == 0.0F || b[l] == 0.0F;
      const std::uint32_t r = finish<V>(std::fma(a[l], b[l], c[l]));
      const std::uint32_t addend = finish<V>(c[l] + 0.0F);
      return zero ? addend : r;
    } else {
      return finish<V>(std::fma(a[l], b[l], c[l]));
    }
  });
}

/// FMUL.D2 ... .M8: the product is exact in double, and so is its scaling, so it is rounded once.
/// aux[0]: exponent + 8.
template <unsigned V>
void fmul_scaled(Context& ctx, const MicroOp& op) {
  const Source<V> a(ctx, op, 0);
  const Source<V> b(ctx, op, 1);
  const double scale = std::ldexp(1.0, op.aux[0] - 8);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) {
    return finish<V>(static_cast<float>(double{a[l]} * double{b[l]} * scale));
  });
}

#define COULOMB_VARIANTS(f)                                                                        \
  []<unsigned... V>(std::integer_sequence<unsigned, V...>) {                                       \
    return std::array<Handler, sizeof...(V)>{f<V>...};                                             \
  }                                                                                                \
  (std::make_integer_sequence<unsigned, 16>{})

unsigned variant(const Lowering& low, unsigned flush_mode) {
  // 1 FTZ; 2 FMZ = FTZ, and zero times anything is zero
  return (low.has_modifiers() ? kModified : 0U) | (flush_mode != 0 ? kFlush : 0U) |
         (low.modifier(Modifier::SAT) != 0 ? kSaturate : 0U) | (flush_mode == 2 ? kZeroWins : 0U);
}

Handler lower_arithmetic(Lowering& low, int sources) {
  static constexpr auto kAdd = COULOMB_VARIANTS(fadd);
  static constexpr auto kMul = COULOMB_VARIANTS(fmul);
  static constexpr auto kScaled = COULOMB_VARIANTS(fmul_scaled);
  static constexpr auto kFma = COULOMB_VARIANTS(ffma);
  low.dst(0);
  for (int i = 0; i < sources; ++i) {
    low.src(i, 1 + i, SourceType::f32);
  }
  low.op.rounding = low.modifier(Modifier::rnd) & 3;
  const unsigned mode =
      low.in.opcode == Opcode::FADD ? low.modifier(Modifier::FTZ) : low.modifier(Modifier::ftz);
  const unsigned v = variant(low, mode);
  if (low.in.opcode == Opcode::FADD) {
    return kAdd[v];
  }
  if (low.in.opcode == Opcode::FFMA) {
    return kFma[v];
  }
  const unsigned scale = low.modifier(Modifier::scale);
  if (scale == 4 || scale == 0) {
    return kMul[v];
  }
  low.op.aux[0] = static_cast<std::uint8_t>(scale + 4); // 1..3: / 8, 4, 2; 5..7: * 2, 4, 8
  return (v & kZeroWins) != 0 ? nullptr : kScaled[v];
}

/// aux[0]: FTZ | NAN << 1 | XORSIGN << 2
void fmnmx(Context& ctx, const MicroOp& op) {
  const Source<kModified> a(ctx, op, 0);
  const Source<kModified> b(ctx, op, 1);
  const bool ftz = (op.aux[0] & 1) != 0;
  const bool nan_wins = (op.aux[0] & 2) != 0;
  const bool xor_sign = (op.aux[0] & 4) != 0;
  const std::uint32_t p = predicate(ctx, op.psrc[0]);
  for_lanes(ctx, row(ctx, op.dst), [&](int l) {
    std::uint32_t x = ftz ? flush(a.bits(l)) : a.bits(l);
    std::uint32_t y = ftz ? flush(b.bits(l)) : b.bits(l);
    const std::uint32_t sign = xor_sign ? (x ^ y) & kSignBit : 0;
    x = xor_sign ? x & ~kSignBit : x;
    y = xor_sign ? y & ~kSignBit : y;
    const std::uint32_t r = min_max_f32(x, y, (p >> l & 1U) != 0);
    if (nan_wins && (is_nan_bits(x) || is_nan_bits(y))) {
      return kNanF32;
    }
    return is_nan_bits(r) ? r : r | sign;
  });
}

/// The usual form: one of min and max for all lanes, no modes. aux[1] = min.
template <bool Min>
void fmnmx_plain(Context& ctx, const MicroOp& op) {
  const Source<kModified> a(ctx, op, 0);
  const Source<kModified> b(ctx, op, 1);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) { return min_max_f32(a.bits(l), b.bits(l), Min); });
}

Handler lower_fmnmx(Lowering& low) {
  low.dst(0);
  low.src(0, 1, SourceType::f32);
  low.src(1, 2, SourceType::f32);
  low.psrc(0, 3);
  low.op.aux[0] =
      static_cast<std::uint8_t>(low.modifier(Modifier::FTZ) | low.modifier(Modifier::NAN_) << 1 |
                                low.modifier(Modifier::XORSIGN) << 2);
  if (low.modifier(Modifier::XORSIGN) != 0) { // the signs count though the text says |a|, |b|
    low.op.modifiers = 0;
    for (int i = 0; i < 2; ++i) {
      isa::Operand with_sign = low.operand(1 + i);
      with_sign.absolute = false;
      low.src_of(i, with_sign);
    }
  }
  if (low.op.aux[0] == 0 && (low.op.psrc[0] & 7) == 7) {
    return (low.op.psrc[0] & kPredicateNot) == 0 ? fmnmx_plain<true> : fmnmx_plain<false>;
  }
  return fmnmx;
}

/// aux[0] = FTZ
void fsel(Context& ctx, const MicroOp& op) {
  const Source<kModified> a(ctx, op, 0);
  const Source<kModified> b(ctx, op, 1);
  const bool ftz = op.aux[0] != 0;
  alignas(64) std::uint32_t m[kLanes];
  expand_mask(predicate(ctx, op.psrc[0]), m);
  for_lanes(ctx, row(ctx, op.dst), [&](int l) {
    const std::uint32_t r = (a.bits(l) & m[l]) | (b.bits(l) & ~m[l]);
    return ftz ? flush(r) : r;
  });
}

/// Lane mask of a float comparison; code bits: 1 less, 2 equal, 4 greater, 8 unordered.
template <unsigned V>
std::uint32_t compare(Context& ctx, const MicroOp& op, unsigned code) {
  const Source<V> a(ctx, op, 0);
  const Source<V> b(ctx, op, 1);
  const std::uint32_t lt = lanes_where([=](int l) { return a[l] < b[l]; });
  const std::uint32_t eq = lanes_where([=](int l) { return a[l] == b[l]; });
  const std::uint32_t gt = lanes_where([=](int l) { return a[l] > b[l]; });
  return ((code & 1) != 0 ? lt : 0) | ((code & 2) != 0 ? eq : 0) | ((code & 4) != 0 ? gt : 0) |
         ((code & 8) != 0 ? ~(lt | eq | gt) : 0);
}

/// aux[0] = comparison, aux[1] = bool op
template <unsigned V>
void fsetp(Context& ctx, const MicroOp& op) {
  const std::uint32_t t = compare<V>(ctx, op, op.aux[0]);
  const std::uint32_t p = predicate(ctx, op.psrc[0]);
  set_predicate(ctx, op.pdst[1], combine(op.aux[1], ~t, p));
  set_predicate(ctx, op.pdst[0], combine(op.aux[1], t, p));
}

template <unsigned V>
void fset(Context& ctx, const MicroOp& op) {
  const std::uint32_t t =
      combine(op.aux[1], compare<V>(ctx, op, op.aux[0]), predicate(ctx, op.psrc[0]));
  for_lanes(ctx, row(ctx, op.dst), [=](int l) { return (0U - (t >> l & 1U)) & 0x3f800000U; });
}

Handler lower_compare(Lowering& low, bool to_predicate) {
  const int first = to_predicate ? 2 : 1;
  if (to_predicate) {
    low.pdst(0, 0);
    low.pdst(1, 1);
  } else {
    low.dst(0);
  }
  low.src(0, first, SourceType::f32);
  low.src(1, first + 1, SourceType::f32);
  low.psrc(0, first + 2);
  low.op.aux[0] = static_cast<std::uint8_t>(low.modifier(Modifier::cmp));
  low.op.aux[1] = static_cast<std::uint8_t>(low.modifier(Modifier::bool_op));
  const bool ftz = low.modifier(Modifier::FTZ) != 0;
  if (to_predicate) {
    return ftz ? fsetp<kModified | kFlush> : fsetp<kModified>;
  }
  return ftz ? fset<kModified | kFlush> : fset<kModified>;
}

/// True where a / b needs the slow path of division. The chip's exact ranges are not known; these
/// are conservative, and the slow path gives the same quotient.
void fchk(Context& ctx, const MicroOp& op) {
  const Source<kModified> a(ctx, op, 0);
  const Source<kModified> b(ctx, op, 1);
  set_predicate(ctx, op.pdst[0], lanes_where([&](int l) {
                  const int x = static_cast<int>(a.bits(l) >> 23 & 0xff);
                  const int y = static_cast<int>(b.bits(l) >> 23 & 0xff);
                  // Below 2^-101 the remainder a - q * b of the fast path is not exact.
                  return x < 26 || x == 255 || y < 5 || y > 250 || x - y > 100 || y - x > 100;
                }));
}
} // namespace

Handler select_float(Lowering& low) {
  switch (low.in.opcode) {
  case Opcode::FADD:
  case Opcode::FMUL:
    return lower_arithmetic(low, 2);
  case Opcode::FFMA:
    return lower_arithmetic(low, 3);
  case Opcode::FMNMX:
    return lower_fmnmx(low);
  case Opcode::FSEL:
    low.dst(0);
    low.src(0, 1, SourceType::f32);
    low.src(1, 2, SourceType::f32);
    low.psrc(0, 3);
    low.op.aux[0] = static_cast<std::uint8_t>(low.modifier(Modifier::FTZ));
    return fsel;
  case Opcode::FSETP:
    return lower_compare(low, true);
  case Opcode::FSET_BF:
    return lower_compare(low, false);
  case Opcode::FCHK:
    low.pdst(0, 0);
    low.src(0, 1, SourceType::f32);
    low.src(1, 2, SourceType::f32);
    return fchk;
  default:
    return nullptr;
  }
}

} // namespace coulomb::functional
