// SPDX-License-Identifier: Apache-2.0
// CUDA's device functions in plain C++, as the CUDA documentation specifies them, and the block in
// lockstep: a phase runs for all threads in turn, a collective reads the variables of all lanes.
// Included by fuzz_device.hpp only. Defining FUZZ_PLANT makes __popc wrong: the fuzzer must notice.
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>

// --- integers ---
static inline u32 min(u32 a, u32 b) {
  return a < b ? a : b;
}
static inline s32 min(s32 a, s32 b) {
  return a < b ? a : b;
}
static inline u64 min(u64 a, u64 b) {
  return a < b ? a : b;
}
static inline s64 min(s64 a, s64 b) {
  return a < b ? a : b;
}
static inline u32 max(u32 a, u32 b) {
  return a > b ? a : b;
}
static inline s32 max(s32 a, s32 b) {
  return a > b ? a : b;
}
static inline u64 max(u64 a, u64 b) {
  return a > b ? a : b;
}
static inline s64 max(s64 a, s64 b) {
  return a > b ? a : b;
}
static inline s32 __popc(u32 a) {
#ifdef FUZZ_PLANT
  return std::popcount(a) + (std::popcount(a) > 20 ? 1 : 0);
#else
  return std::popcount(a);
#endif
}
static inline s32 __popcll(u64 a) {
  return std::popcount(a);
}
static inline s32 __clz(s32 a) {
  return std::countl_zero((u32)a);
}
static inline s32 __clzll(s64 a) {
  return std::countl_zero((u64)a);
}
static inline s32 __ffs(s32 a) {
  return a == 0 ? 0 : std::countr_zero((u32)a) + 1;
}
static inline s32 __ffsll(s64 a) {
  return a == 0 ? 0 : std::countr_zero((u64)a) + 1;
}
static inline u64 __brevll(u64 a) {
  u64 r = 0;
  for (u32 i = 0; i < 64; ++i) {
    r |= (a >> i & 1u) << (63u - i);
  }
  return r;
}
static inline u32 __brev(u32 a) {
  return (u32)(__brevll(a) >> 32);
}
static inline u32 __byte_perm(u32 a, u32 b, u32 selector) {
  const u64 bytes = (u64)b << 32 | a;
  u32 r = 0;
  for (u32 i = 0; i < 4; ++i) {
    r |= (u32)(u8)(bytes >> 8u * (selector >> 4u * i & 7u)) << 8u * i;
  }
  return r;
}
static inline u32 __funnelshift_l(u32 lo, u32 hi, u32 n) {
  return (u32)((((u64)hi << 32 | lo) << (n & 31u)) >> 32);
}
static inline u32 __funnelshift_r(u32 lo, u32 hi, u32 n) {
  return (u32)(((u64)hi << 32 | lo) >> (n & 31u));
}
static inline u32 __funnelshift_lc(u32 lo, u32 hi, u32 n) {
  return (u32)((((u64)hi << 32 | lo) << min(n, 32u)) >> 32);
}
static inline u32 __funnelshift_rc(u32 lo, u32 hi, u32 n) {
  return (u32)(((u64)hi << 32 | lo) >> min(n, 32u));
}
static inline u32 __umulhi(u32 a, u32 b) {
  return (u32)((u64)a * b >> 32);
}
static inline s32 __mulhi(s32 a, s32 b) {
  return (s32)((s64)a * b >> 32);
}
static inline u64 __umul64hi(u64 a, u64 b) {
  return (u64)((unsigned __int128)a * b >> 64);
}
static inline s64 __mul64hi(s64 a, s64 b) {
  return (s64)((__int128)a * b >> 64);
}
static inline u32 __usad(u32 a, u32 b, u32 c) {
  return (a > b ? a - b : b - a) + c;
}
static inline u32 __sad(s32 a, s32 b, u32 c) {
  return (a > b ? (u32)a - (u32)b : (u32)b - (u32)a) + c;
}
static inline u32 __uhadd(u32 a, u32 b) {
  return (u32)(((u64)a + b) >> 1);
}
static inline u32 __urhadd(u32 a, u32 b) {
  return (u32)(((u64)a + b + 1) >> 1);
}
static inline s32 __hadd(s32 a, s32 b) {
  return (s32)(((s64)a + b) >> 1);
}
static inline s32 __rhadd(s32 a, s32 b) {
  return (s32)(((s64)a + b + 1) >> 1);
}
static inline u32 __dp4a(u32 a, u32 b, u32 c) {
  for (u32 i = 0; i < 32; i += 8) {
    c += (u32)(u8)(a >> i) * (u8)(b >> i);
  }
  return c;
}
static inline s32 __dp4a(s32 a, s32 b, s32 c) {
  u32 r = (u32)c;
  for (u32 i = 0; i < 32; i += 8) {
    r += (u32)((s32)(s8)((u32)a >> i) * (s8)((u32)b >> i));
  }
  return (s32)r;
}

// --- floating point ---
static inline u32 __float_as_uint(f32 a) {
  return std::bit_cast<u32>(a);
}
static inline f32 __uint_as_float(u32 a) {
  return std::bit_cast<f32>(a);
}
static inline s64 __double_as_longlong(f64 a) {
  return std::bit_cast<s64>(a);
}
static inline f64 __longlong_as_double(s64 a) {
  return std::bit_cast<f64>(a);
}
static inline s32 __double2hiint(f64 a) {
  return (s32)(std::bit_cast<u64>(a) >> 32);
}

/// The smaller one; the other one if one is NaN; -0 is less than +0.
template <class T>
static T fz_least(T a, T b) {
  if (a != a || b != b) {
    return a != a ? b : a;
  }
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
template <class T>
static T fz_greatest(T a, T b) {
  if (a != a || b != b) {
    return a != a ? b : a;
  }
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}
#define fminf fz_least<f32>
#define fmaxf fz_greatest<f32>
#define fmin fz_least<f64>
#define fmax fz_greatest<f64>
static inline f32 __saturatef(f32 a) {
  return !(a > 0.0f) ? 0.0f : a > 1.0f ? 1.0f : a;
}

/// Float to integer: saturates; NaN gives `nan`.
template <class I, class F>
static I fz_to_integer(F rounded, I nan) {
  const F low = (F)std::numeric_limits<I>::min();
  const F beyond = std::ldexp((F)1, std::numeric_limits<I>::digits);
  if (rounded != rounded) {
    return nan;
  }
  return rounded < low       ? std::numeric_limits<I>::min()
         : rounded >= beyond ? std::numeric_limits<I>::max()
                             : (I)rounded;
}
#define FZ_CONVERSIONS(name, I, F, nan)                                                            \
  static inline I name##_rz(F a) {                                                                 \
    return fz_to_integer<I, F>(std::trunc(a), nan);                                                \
  }                                                                                                \
  static inline I name##_rn(F a) {                                                                 \
    return fz_to_integer<I, F>(std::rint(a), nan);                                                 \
  }                                                                                                \
  static inline I name##_ru(F a) {                                                                 \
    return fz_to_integer<I, F>(std::ceil(a), nan);                                                 \
  }                                                                                                \
  static inline I name##_rd(F a) {                                                                 \
    return fz_to_integer<I, F>(std::floor(a), nan);                                                \
  }
FZ_CONVERSIONS(__float2int, s32, f32, 0)
FZ_CONVERSIONS(__float2uint, u32, f32, 0)
FZ_CONVERSIONS(__float2ll, s64, f32, (s64)(1ull << 63))
FZ_CONVERSIONS(__float2ull, u64, f32, 1ull << 63)
FZ_CONVERSIONS(__double2int, s32, f64, (s32)(1u << 31))
FZ_CONVERSIONS(__double2uint, u32, f64, 1u << 31)
FZ_CONVERSIONS(__double2ll, s64, f64, (s64)(1ull << 63))
FZ_CONVERSIONS(__double2ull, u64, f64, 1ull << 63)

/// An operation under a directed rounding mode; the volatile copies keep it inside the mode.
template <class R, class Operation, class... A>
[[gnu::noinline]] static R fz_rounded(int mode, Operation operation, A... a) {
  std::fesetround(mode);
  volatile R r = operation(*static_cast<volatile A*>(&a)...);
  std::fesetround(FE_TONEAREST);
  return r;
}
#define FZ_DIRECTED(suffix, mode)                                                                  \
  static inline f32 __fadd_##suffix(f32 a, f32 b) {                                                \
    return fz_rounded<f32>(                                                                        \
        mode, [](f32 x, f32 y) { return x + y; }, a, b);                                           \
  }                                                                                                \
  static inline f32 __fmul_##suffix(f32 a, f32 b) {                                                \
    return fz_rounded<f32>(                                                                        \
        mode, [](f32 x, f32 y) { return x * y; }, a, b);                                           \
  }                                                                                                \
  static inline f32 __fmaf_##suffix(f32 a, f32 b, f32 c) {                                         \
    return fz_rounded<f32>(                                                                        \
        mode, [](f32 x, f32 y, f32 z) { return std::fma(x, y, z); }, a, b, c);                     \
  }                                                                                                \
  static inline f64 __dadd_##suffix(f64 a, f64 b) {                                                \
    return fz_rounded<f64>(                                                                        \
        mode, [](f64 x, f64 y) { return x + y; }, a, b);                                           \
  }                                                                                                \
  static inline f64 __dmul_##suffix(f64 a, f64 b) {                                                \
    return fz_rounded<f64>(                                                                        \
        mode, [](f64 x, f64 y) { return x * y; }, a, b);                                           \
  }                                                                                                \
  static inline f64 __fma_##suffix(f64 a, f64 b, f64 c) {                                          \
    return fz_rounded<f64>(                                                                        \
        mode, [](f64 x, f64 y, f64 z) { return std::fma(x, y, z); }, a, b, c);                     \
  }                                                                                                \
  static inline f32 __int2float_##suffix(s32 a) {                                                  \
    return fz_rounded<f32>(                                                                        \
        mode, [](s32 x) { return (f32)x; }, a);                                                    \
  }                                                                                                \
  static inline f32 __uint2float_##suffix(u32 a) {                                                 \
    return fz_rounded<f32>(                                                                        \
        mode, [](u32 x) { return (f32)x; }, a);                                                    \
  }                                                                                                \
  static inline f64 __ll2double_##suffix(s64 a) {                                                  \
    return fz_rounded<f64>(                                                                        \
        mode, [](s64 x) { return (f64)x; }, a);                                                    \
  }                                                                                                \
  static inline f32 __double2float_##suffix(f64 a) {                                               \
    return fz_rounded<f32>(                                                                        \
        mode, [](f64 x) { return (f32)x; }, a);                                                    \
  }
FZ_DIRECTED(rz, FE_TOWARDZERO)
FZ_DIRECTED(ru, FE_UPWARD)
FZ_DIRECTED(rd, FE_DOWNWARD)

// --- atomics: one thread at a time here, and the programs do not read the result ---
template <class T>
static void atomicAdd(T* p, T v) {
  *p = (T)((u64)*p + (u64)v);
}
template <class T>
static void atomicMin(T* p, T v) {
  *p = v < *p ? v : *p;
}
template <class T>
static void atomicMax(T* p, T v) {
  *p = v > *p ? v : *p;
}
template <class T>
static void atomicAnd(T* p, T v) {
  *p &= v;
}
template <class T>
static void atomicOr(T* p, T v) {
  *p |= v;
}
template <class T>
static void atomicXor(T* p, T v) {
  *p ^= v;
}

#include "cuda_shim_block.hpp"
