// SPDX-License-Identifier: Apache-2.0
// Packed arithmetic: the device has instructions or intrinsics, the host computes field by field.
// Included by fuzz_device.hpp only.
#pragma once

// NaN payloads and signs are not specified: one of them stands for all.
FZ_FUNCTION u32 fz_quiet(u32 a, u32 infinity) {
  const u32 low = (a & 0x7fffu) > infinity ? 0x7fffu : a & 0xffffu;
  const u32 high = (a >> 16 & 0x7fffu) > infinity ? 0x7fffu : a >> 16;
  return low | high << 16;
}

#ifdef __CUDACC__

#define FZ_PACKED_2(name, text, infinity)                                                          \
  FZ_FUNCTION u32 name(u32 a, u32 b) {                                                             \
    u32 r;                                                                                         \
    asm(text " %0,%1,%2;" : "=r"(r) : "r"(a), "r"(b));                                             \
    return fz_quiet(r, infinity);                                                                  \
  }
#define FZ_PACKED_3(name, text, infinity)                                                          \
  FZ_FUNCTION u32 name(u32 a, u32 b, u32 c) {                                                      \
    u32 r;                                                                                         \
    asm(text " %0,%1,%2,%3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                                  \
    return fz_quiet(r, infinity);                                                                  \
  }
FZ_PACKED_2(fz_hadd2, "add.rn.f16x2", 0x7c00u)
FZ_PACKED_2(fz_hsub2, "sub.rn.f16x2", 0x7c00u)
FZ_PACKED_2(fz_hmul2, "mul.rn.f16x2", 0x7c00u)
FZ_PACKED_3(fz_hfma2, "fma.rn.f16x2", 0x7c00u)
FZ_PACKED_3(fz_bfma2, "fma.rn.bf16x2", 0x7f80u)
FZ_FUNCTION u32 fz_pack_half(f32 a, f32 b) {
  u32 r;
  asm("cvt.rn.f16x2.f32 %0,%1,%2;" : "=r"(r) : "f"(a), "f"(b));
  return fz_quiet(r, 0x7c00u);
}
FZ_FUNCTION u32 fz_pack_bfloat(f32 a, f32 b) {
  u32 r;
  asm("cvt.rn.bf16x2.f32 %0,%1,%2;" : "=r"(r) : "f"(a), "f"(b));
  return fz_quiet(r, 0x7f80u);
}

#else

/// A binary format of 16 bits.
struct FzFormat {
  s32 digits; ///< of the fraction
  s32 least;  ///< exponent of the least normal number
  u32 infinity;
};
constexpr FzFormat fz_half{10, -14, 0x7c00u};
constexpr FzFormat fz_bfloat{7, -126, 0x7f80u};

static inline f64 fz_widen(u32 h, FzFormat t) {
  const u32 magnitude = h & 0x7fffu;
  if (magnitude >= t.infinity) {
    return magnitude > t.infinity ? NAN : (h & 0x8000u) != 0 ? -INFINITY : INFINITY;
  }
  const s32 field = (s32)(magnitude >> t.digits);
  const s32 fraction = (s32)(magnitude & ((1u << t.digits) - 1u));
  const s32 implicit = field == 0 ? 0 : 1 << t.digits;
  const s32 exponent = t.least - t.digits + (field == 0 ? 0 : field - 1);
  const f64 v = std::ldexp((f64)(fraction + implicit), exponent);
  return (h & 0x8000u) != 0 ? -v : v;
}

/// Rounds once, to nearest even.
static inline u32 fz_narrow(f64 v, FzFormat t) {
  if (v != v) {
    return 0x7fffu;
  }
  const u32 sign = std::signbit(v) ? 0x8000u : 0u;
  const f64 a = std::fabs(v);
  if (a == 0) {
    return sign;
  }
  if (std::isinf(a)) {
    return sign | t.infinity;
  }
  const s32 exponent = std::ilogb(a) < t.least ? t.least : std::ilogb(a);
  const u64 steps = (u64)std::nearbyint(std::ldexp(a, t.digits - exponent));
  const u64 bits = ((u64)(exponent - t.least) << t.digits) + steps;
  return sign | (bits > t.infinity ? t.infinity : (u32)bits);
}

/// a + b, rounded to odd where inexact, so that a second rounding to fewer digits is right.
static inline f64 fz_sum_to_odd(f64 a, f64 b) {
  const f64 sum = a + b;
  if (!std::isfinite(sum)) {
    return sum;
  }
  const f64 rest = sum - a;
  const f64 error = (a - (sum - rest)) + (b - rest); // exact (Knuth's TwoSum)
  if (error == 0 || (std::bit_cast<u64>(sum) & 1u) != 0) {
    return sum;
  }
  return std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
}

template <class Operation>
static u32 fz_each_half(Operation operation) {
  return operation(0u) | operation(16u) << 16;
}
static inline u32 fz_fma2(u32 a, u32 b, u32 c, FzFormat t) {
  return fz_each_half([&](u32 at) {
    const f64 product = fz_widen(a >> at & 0xffffu, t) * fz_widen(b >> at & 0xffffu, t); // exact
    return fz_narrow(fz_sum_to_odd(product, fz_widen(c >> at & 0xffffu, t)), t);
  });
}
static inline u32 fz_hfma2(u32 a, u32 b, u32 c) {
  return fz_fma2(a, b, c, fz_half);
}
static inline u32 fz_bfma2(u32 a, u32 b, u32 c) {
  return fz_fma2(a, b, c, fz_bfloat);
}
static inline u32 fz_hadd2(u32 a, u32 b) { // sums and products of halves are exact in double
  return fz_each_half([&](u32 at) {
    return fz_narrow(fz_widen(a >> at & 0xffffu, fz_half) + fz_widen(b >> at & 0xffffu, fz_half),
                     fz_half);
  });
}
static inline u32 fz_hsub2(u32 a, u32 b) {
  return fz_each_half([&](u32 at) {
    return fz_narrow(fz_widen(a >> at & 0xffffu, fz_half) - fz_widen(b >> at & 0xffffu, fz_half),
                     fz_half);
  });
}
static inline u32 fz_hmul2(u32 a, u32 b) {
  return fz_each_half([&](u32 at) {
    return fz_narrow(fz_widen(a >> at & 0xffffu, fz_half) * fz_widen(b >> at & 0xffffu, fz_half),
                     fz_half);
  });
}
static inline u32 fz_pack_half(f32 a, f32 b) {
  return fz_narrow(a, fz_half) << 16 | fz_narrow(b, fz_half);
}
static inline u32 fz_pack_bfloat(f32 a, f32 b) {
  return fz_narrow(a, fz_bfloat) << 16 | fz_narrow(b, fz_bfloat);
}

// CUDA's SIMD intrinsics: `f` on each field of `width` bits, sign- or zero-extended, clamped to the
// field's type where `saturate` says so.
template <u32 width, bool is_signed, bool saturate, class Operation>
static u32 fz_fields(u32 a, u32 b, Operation f) {
  constexpr s64 size = 1ll << width;
  constexpr s64 low = is_signed ? -size / 2 : 0;
  const auto field = [](u32 v, u32 at) {
    const s64 bits = v >> at & (u32)(size - 1);
    return is_signed && bits >= size / 2 ? bits - size : bits;
  };
  u32 r = 0;
  for (u32 at = 0; at < 32; at += width) {
    s64 v = f(field(a, at), field(b, at));
    if (saturate) {
      v = v < low ? low : v > low + size - 1 ? low + size - 1 : v;
    }
    r |= ((u32)v & (u32)(size - 1)) << at;
  }
  return r;
}
#define FZ_SIMD(name, width, is_signed, saturate, expression)                                      \
  static inline u32 name(u32 a, u32 b) {                                                           \
    return fz_fields<width, is_signed, saturate>(a, b,                                             \
                                                 [](s64 x, s64 y) { return (s64)(expression); });  \
  }
// Not __vsubus2: NVRTC 13.0 makes of it signed arithmetic that overflows, and takes the result for
// positive.
FZ_SIMD(__vadd2, 16, false, false, x + y)
FZ_SIMD(__vsub4, 8, false, false, x - y)
FZ_SIMD(__vaddss2, 16, true, true, x + y)
FZ_SIMD(__vaddus4, 8, false, true, x + y)
FZ_SIMD(__vsubss4, 8, true, true, x - y)
FZ_SIMD(__vmaxs2, 16, true, false, x > y ? x : y)
FZ_SIMD(__vmins4, 8, true, false, x < y ? x : y)
FZ_SIMD(__vmaxu4, 8, false, false, x > y ? x : y)
FZ_SIMD(__vminu2, 16, false, false, x < y ? x : y)
FZ_SIMD(__vabsdiffu4, 8, false, false, x > y ? x - y : y - x)
FZ_SIMD(__vabsdiffs2, 16, true, false, x > y ? x - y : y - x)
FZ_SIMD(__vavgu4, 8, false, false, (x + y + 1) >> 1)
FZ_SIMD(__vhaddu2, 16, false, false, (x + y) >> 1)
FZ_SIMD(__vcmpgts2, 16, true, false, x > y ? -1 : 0)
FZ_SIMD(__vcmpeq4, 8, false, false, x == y ? -1 : 0)
FZ_SIMD(__vsetltu4, 8, false, false, x < y ? 1 : 0)
FZ_SIMD(__vsetges2, 16, true, false, x >= y ? 1 : 0)
static inline u32 __vsadu4(u32 a, u32 b) {
  u32 sum = 0;
  for (u32 at = 0; at < 32; at += 8) {
    const u32 x = a >> at & 255u;
    const u32 y = b >> at & 255u;
    sum += x > y ? x - y : y - x;
  }
  return sum;
}

#endif
