// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/float_math.hpp"
#include "sim/functional/integer_math.hpp"
#include "sim/functional/lanes.hpp"
#include "sim/functional/lowering.hpp"

/// Packed half and bfloat16. A row of 32 registers is 64 halves, low half first; arithmetic is done
/// in float, where sums and products of two halves round innocuously (24 >= 2 * 11 + 2 bits), and
/// fused sums are rounded to odd first.
namespace coulomb::functional {
namespace {
using isa::HalfSelect;
using isa::Modifier;
using isa::Opcode;
using isa::OperandKind;

constexpr int kHalves = 2 * kLanes;

/// Flags in MicroOp::value.
enum HalfFlag : std::uint32_t {
  kF32Result = 1,
  kBf16 = 2,
  kFtz = 4,
  kFmz = 8,
  kRelu = 16,
  kSat = 32,
  kNanWins = 64,
  kOneZero = 128,    ///< HSET2.BF: 1.0 / 0 instead of all ones / 0
  kBothHalves = 256, ///< HSETP2.H_AND
  kXorSign = 512,    ///< HMNMX2.XORSIGN
  /// HFMA2 .H0_NH1: the high half of the second factor is its half 0, the low one its half 1 with
  /// the other sign.
  kSwapNegated = 1024,
};

struct alignas(64) HalfRow {
  std::uint16_t h[kHalves];
};
struct alignas(64) FloatRow {
  float f[kHalves];
};

void widen(const HalfRow& in, FloatRow& out) {
#if defined(__F16C__) && defined(__AVX2__)
  for (int i = 0; i < kHalves; i += 8) {
    const __m128i v = _mm_load_si128(reinterpret_cast<const __m128i*>(in.h + i));
    _mm256_store_ps(out.f + i, _mm256_cvtph_ps(v));
  }
#else
  for (int i = 0; i < kHalves; ++i) {
    out.f[i] = half_to_float(in.h[i]);
  }
#endif
}

void narrow(const FloatRow& in, HalfRow& out) {
#if defined(__F16C__) && defined(__AVX2__)
  for (int i = 0; i < kHalves; i += 8) {
    const __m128i v = _mm256_cvtps_ph(_mm256_load_ps(in.f + i), _MM_FROUND_TO_NEAREST_INT);
    _mm_store_si128(reinterpret_cast<__m128i*>(out.h + i), v);
  }
#else
  for (int i = 0; i < kHalves; ++i) {
    out.h[i] = double_to_half(in.f[i], 0);
  }
#endif
}

void widen_bf16(const HalfRow& in, FloatRow& out) {
  for (int i = 0; i < kHalves; ++i) {
    out.f[i] = bf16_to_float(in.h[i]);
  }
}

/// Source `i` as 64 floats: selector, absolute, negate, flush.
void load(Context& ctx, const MicroOp& op, int i, FloatRow& out) {
  const std::uint32_t* v = row(ctx, op.src[i]);
  const auto select = static_cast<HalfSelect>(op.aux[0] >> (2 * i) & 3);
  const bool absolute = (op.modifiers >> (i + kAbsoluteShift) & 1U) != 0;
  const bool swap = i == 1 && (op.value & kSwapNegated) != 0;
  const std::uint32_t flip =
      ((op.modifiers >> i & 1U) != 0 ? 0x80008000U : 0U) ^ (swap ? 0x8000U : 0U);
  const std::uint32_t keep = absolute ? 0x7fff7fffU : ~0U;
  if (select == HalfSelect::f32) {
    for (int l = 0; l < kLanes; ++l) {
      const std::uint32_t bits = (absolute ? v[l] & ~kSignBit : v[l]) ^ (flip & kSignBit);
      out.f[2 * l] = out.f[2 * l + 1] = as_float(bits);
    }
    return;
  }
  alignas(64) std::uint32_t t[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    const std::uint32_t low = (v[l] & 0xffffU) * 0x10001U;
    const std::uint32_t high = (v[l] >> 16) * 0x10001U;
    const std::uint32_t both = swap ? v[l] << 16 | v[l] >> 16 : v[l];
    const std::uint32_t x = select == HalfSelect::low    ? low
                            : select == HalfSelect::high ? high
                                                         : both;
    t[l] = (x & keep) ^ flip;
  }
  HalfRow halves;
  std::memcpy(halves.h, t, sizeof t);
  const std::uint16_t exponent = (op.value & kBf16) != 0 ? 0x7f80 : 0x7c00;
  if ((op.value & (kFtz | kFmz)) != 0) {
    for (std::uint16_t& h : halves.h) {
      h = (h & exponent) == 0 ? h & 0x8000 : h;
    }
  }
  if ((op.value & kBf16) != 0) {
    widen_bf16(halves, out);
  } else {
    widen(halves, out);
  }
}

/// Flush, saturate, relu and canonical NaN on finished halves, then the masked write.
void store(Context& ctx, const MicroOp& op, HalfRow& r) {
  const bool bf16 = (op.value & kBf16) != 0;
  const std::uint16_t exponent = bf16 ? 0x7f80 : 0x7c00;
  const std::uint16_t one = bf16 ? 0x3f80 : 0x3c00;
  for (std::uint16_t& h : r.h) {
    const bool nan = (h & 0x7fff) > exponent;
    std::uint16_t v = nan ? 0x7fff : h;
    if ((op.value & (kFtz | kFmz)) != 0) {
      v = (v & exponent) == 0 ? v & 0x8000 : v;
    }
    if ((op.value & kRelu) != 0) {
      v = (v & 0x8000) != 0 ? 0 : v;
    }
    if ((op.value & kSat) != 0) {
      v = nan || (v & 0x8000) != 0 ? 0 : std::min(v, one);
    }
    h = v;
  }
  alignas(64) std::uint32_t t[kLanes];
  std::memcpy(t, r.h, sizeof t);
  store_row(ctx, row(ctx, op.dst), t);
}

void store_f32(Context& ctx, const MicroOp& op, const FloatRow& r) {
  for_lanes(ctx, row(ctx, op.dst), [&](int l) {
    const std::uint32_t bits = canonical(as_bits(r.f[2 * l]));
    return (op.value & kSat) != 0 ? saturate_f32(bits) : bits;
  });
}

void finish(Context& ctx, const MicroOp& op, const FloatRow& r) {
  if ((op.value & kF32Result) != 0) {
    store_f32(ctx, op, r);
    return;
  }
  HalfRow halves;
  narrow(r, halves);
  store(ctx, op, halves);
}

void hadd2(Context& ctx, const MicroOp& op) {
  FloatRow a;
  FloatRow b;
  load(ctx, op, 0, a);
  load(ctx, op, 1, b);
  for (int i = 0; i < kHalves; ++i) {
    a.f[i] += b.f[i];
  }
  finish(ctx, op, a);
}

void hmul2(Context& ctx, const MicroOp& op) {
  FloatRow a;
  FloatRow b;
  load(ctx, op, 0, a);
  load(ctx, op, 1, b);
  const bool zero_wins = (op.value & kFmz) != 0;
  for (int i = 0; i < kHalves; ++i) {
    const bool zero = zero_wins && (a.f[i] == 0.0F || b.f[i] == 0.0F);
    a.f[i] = zero ? 0.0F : a.f[i] * b.f[i];
  }
  finish(ctx, op, a);
}

/// a * b + c with a * b exact: the rounded sum, made odd if it was not exact, so that a second
/// rounding is right.
float odd_sum(float p, float c) {
  const float s = p + c;
  const float t = s - p;
  const float e = (p - (s - t)) + (c - t);
  std::uint32_t bits = as_bits(s);
  const bool special = (bits & 0x7f800000U) == 0x7f800000U;
  const bool inexact = !special && e != 0.0F;
  const bool overshot = ((as_bits(e) ^ bits) & kSignBit) != 0;
  bits = inexact && overshot ? bits - 1 : bits;
  return as_float(inexact ? bits | 1U : bits);
}

double odd_sum(double p, double c) {
  const double s = p + c;
  const double t = s - p;
  const double e = (p - (s - t)) + (c - t);
  std::uint64_t bits = as_bits(s);
  if (!std::isfinite(s) || e == 0.0) {
    return s;
  }
  if (((as_bits(e) ^ bits) >> 63) != 0) {
    bits -= 1;
  }
  return as_double(bits | 1U);
}

void hfma2(Context& ctx, const MicroOp& op) {
  FloatRow a;
  FloatRow b;
  FloatRow c;
  load(ctx, op, 0, a);
  load(ctx, op, 1, b);
  load(ctx, op, 2, c);
  if ((op.value & kFmz) != 0) {
    for (int i = 0; i < kHalves; ++i) {
      const bool zero = a.f[i] == 0.0F || b.f[i] == 0.0F;
      a.f[i] = zero ? 0.0F : a.f[i];
      b.f[i] = zero ? 0.0F : b.f[i];
    }
  }
  if ((op.value & kBf16) !=
      0) { // exponents as wide as float's: only double holds the product exactly
    HalfRow r;
    for (int i = 0; i < kHalves; ++i) {
      r.h[i] = double_to_bf16(odd_sum(double{a.f[i]} * double{b.f[i]}, double{c.f[i]}), 0);
    }
    store(ctx, op, r);
    return;
  }
  if ((op.value & kF32Result) != 0) {
    for (int i = 0; i < kHalves; ++i) {
      a.f[i] = std::fma(a.f[i], b.f[i], c.f[i]);
    }
  } else {
    for (int i = 0; i < kHalves; ++i) {
      a.f[i] = odd_sum(a.f[i] * b.f[i], c.f[i]);
    }
  }
  finish(ctx, op, a);
}

void hmnmx2(Context& ctx, const MicroOp& op) {
  FloatRow a;
  FloatRow b;
  load(ctx, op, 0, a);
  load(ctx, op, 1, b);
  const std::uint32_t p = predicate(ctx, op.psrc[0]);
  HalfRow r;
  for (int i = 0; i < kHalves; ++i) {
    std::uint32_t x = as_bits(a.f[i]);
    std::uint32_t y = as_bits(b.f[i]);
    const std::uint32_t sign = (op.value & kXorSign) != 0 ? (x ^ y) & kSignBit : 0;
    if ((op.value & kXorSign) != 0) {
      x &= ~kSignBit;
      y &= ~kSignBit;
    }
    std::uint32_t m = min_max_f32(x, y, (p >> (i / 2) & 1U) != 0);
    if ((op.value & kNanWins) != 0 && (is_nan_bits(x) || is_nan_bits(y))) {
      m = kNanF32;
    }
    m = is_nan_bits(m) ? m : m | sign;
    r.h[i] = (op.value & kBf16) != 0 ? static_cast<std::uint16_t>(m >> 16)
                                     : double_to_half(as_float(m), 0);
  }
  store(ctx, op, r);
}

/// Lane masks of a comparison of the low and of the high halves.
struct HalfMasks {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
};

HalfMasks compare(Context& ctx, const MicroOp& op) {
  FloatRow a;
  FloatRow b;
  load(ctx, op, 0, a);
  load(ctx, op, 1, b);
  const unsigned code = op.aux[1];
  HalfMasks masks;
  for (int i = 0; i < kHalves; ++i) {
    const float x = a.f[i];
    const float y = b.f[i];
    const unsigned relation = x < y ? 1 : x == y ? 2 : x > y ? 4 : 8;
    const std::uint32_t bit = ((code & relation) != 0 ? 1U : 0U) << (i / 2);
    ((i & 1) != 0 ? masks.high : masks.low) |= bit;
  }
  return masks;
}

void hset2(Context& ctx, const MicroOp& op) {
  const HalfMasks t = compare(ctx, op);
  const std::uint32_t p = predicate(ctx, op.psrc[0]);
  const std::uint32_t low = combine(op.aux[2], t.low, p);
  const std::uint32_t high = combine(op.aux[2], t.high, p);
  const std::uint32_t one = (op.value & kOneZero) != 0 ? 0x3c00U : 0xffffU;
  for_lanes(ctx, row(ctx, op.dst),
            [&](int l) { return (low >> l & 1U) * one | ((high >> l & 1U) * one) << 16; });
}

void hsetp2(Context& ctx, const MicroOp& op) {
  const HalfMasks t = compare(ctx, op);
  const std::uint32_t p = predicate(ctx, op.psrc[0]);
  std::uint32_t first = t.low;
  std::uint32_t second = t.high;
  if ((op.value & kBothHalves) != 0) {
    first = t.low & t.high;
    second = ~first;
  }
  set_predicate(ctx, op.pdst[1], combine(op.aux[2], second, p));
  set_predicate(ctx, op.pdst[0], combine(op.aux[2], first, p));
}

/// The compiler's constant load: HFMA2 d, -RZ, RZ, lo, hi.
void load_constant(Context& ctx, const MicroOp& op) {
  const std::uint32_t* c = row(ctx, op.src[2]);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) { return c[l]; });
}

bool is_constant_load(const Lowering& low) {
  const auto& a = low.operand(1);
  const auto& b = low.operand(2);
  const auto& c = low.operand(3);
  const auto zero = [](const isa::Operand& o) {
    return o.kind == OperandKind::reg && o.index == isa::kRegisterZero;
  };
  if (!zero(a) || !zero(b) || c.kind != OperandKind::f16x2_immediate || low.op.value != 0 ||
      a.negate == b.negate) {
    return false;
  }
  const auto bits = static_cast<std::uint32_t>(c.value);
  return (bits & 0x7fff) <= 0x7c00 && (bits >> 16 & 0x7fff) <= 0x7c00; // a NaN would be quieted
}

std::uint32_t flags(const Lowering& low) {
  return (low.modifier(Modifier::F32_) != 0 ? kF32Result : 0U) |
         (low.modifier(Modifier::BF16_V2) != 0 ? kBf16 : 0U) |
         (low.modifier(Modifier::FTZ) != 0 ? kFtz : 0U) |
         (low.modifier(Modifier::FMZ) != 0 ? kFmz : 0U) |
         (low.modifier(Modifier::RELU) != 0 ? kRelu : 0U) |
         (low.modifier(Modifier::SAT) != 0 ? kSat : 0U) |
         (low.modifier(Modifier::NAN_) != 0 ? kNanWins : 0U) |
         (low.modifier(Modifier::bf) != 0 ? kOneZero : 0U) |
         (low.modifier(Modifier::hand) != 0 ? kBothHalves : 0U) |
         (low.modifier(Modifier::XORSIGN) != 0 ? kXorSign : 0U) |
         (low.modifier(Modifier::hi) != 0 ? kSwapNegated : 0U);
}

void sources(Lowering& low, int first, int count) {
  for (int i = 0; i < count; ++i) {
    low.src(i, first + i, SourceType::half);
    low.op.aux[0] |= static_cast<std::uint8_t>((low.operand(first + i).select & 3) << (2 * i));
  }
}

Handler lower_compare(Lowering& low, bool to_predicate) {
  const int first = to_predicate ? 2 : 1;
  if (to_predicate) {
    low.pdst(0, 0);
    low.pdst(1, 1);
  } else {
    low.dst(0);
  }
  sources(low, first, 2);
  low.psrc(0, first + 2);
  low.op.aux[1] = static_cast<std::uint8_t>(low.modifier(Modifier::cmp));
  low.op.aux[2] = static_cast<std::uint8_t>(low.modifier(Modifier::bool_op));
  return to_predicate ? hsetp2 : hset2;
}
} // namespace

Handler select_half(Lowering& low) {
  const Opcode opcode = low.in.opcode;
  switch (opcode) {
  case Opcode::HADD2:
  case Opcode::HMUL2:
    low.op.value = flags(low);
    low.dst(0);
    sources(low, 1, 2);
    return opcode == Opcode::HADD2 ? hadd2 : hmul2;
  case Opcode::HFMA2:
  case Opcode::HFMA2_MMA:
    low.op.value = flags(low);
    low.dst(0);
    sources(low, 1, 3);
    return is_constant_load(low) ? load_constant : hfma2;
  case Opcode::HMNMX2:
    low.op.value = flags(low);
    low.dst(0);
    sources(low, 1, 2);
    low.psrc(0, 3);
    if ((low.op.value & kXorSign) != 0) { // the signs count though the text says |a|, |b|
      low.op.modifiers &= (1U << kAbsoluteShift) - 1;
    }
    return (low.op.value & kF32Result) != 0 ? nullptr : hmnmx2;
  case Opcode::HSET2:
  case Opcode::HSETP2:
    low.op.value = flags(low);
    return lower_compare(low, opcode == Opcode::HSETP2);
  default:
    return nullptr;
  }
}

} // namespace coulomb::functional
