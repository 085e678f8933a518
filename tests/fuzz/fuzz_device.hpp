// SPDX-License-Identifier: Apache-2.0
// What every generated program includes: the same text is CUDA for NVRTC and C++ for g++.
#pragma once

#include "fuzz_types.hpp"

#ifdef __CUDACC__
#define FZ_FUNCTION static __device__ __forceinline__
#define FZ_FLOAT_REGISTER "f"
#define FZ_DOUBLE_REGISTER "d"
#else
#include "cuda_shim.hpp"
#define FZ_FUNCTION static inline
#define FZ_FLOAT_REGISTER "x" // x86-64; AArch64 would need "w"
#define FZ_DOUBLE_REGISTER "x"
#endif

// Total versions of what C++ leaves undefined.
FZ_FUNCTION u32 fz_udiv(u32 a, u32 b) {
  return b == 0 ? ~a : a / b;
}
FZ_FUNCTION u32 fz_urem(u32 a, u32 b) {
  return b == 0 ? a : a % b;
}
FZ_FUNCTION u64 fz_udiv(u64 a, u64 b) {
  return b == 0 ? ~a : a / b;
}
FZ_FUNCTION u64 fz_urem(u64 a, u64 b) {
  return b == 0 ? a : a % b;
}
FZ_FUNCTION s32 fz_sdiv(s32 a, s32 b) {
  return b == 0 || b == -1 ? ~a : a / b;
}
FZ_FUNCTION s32 fz_srem(s32 a, s32 b) {
  return b == 0 || b == -1 ? a : a % b;
}
FZ_FUNCTION s64 fz_sdiv(s64 a, s64 b) {
  return b == 0 || b == -1 ? ~a : a / b;
}
FZ_FUNCTION s64 fz_srem(s64 a, s64 b) {
  return b == 0 || b == -1 ? a : a % b;
}
// The compiler takes abs(INT_MIN) for undefined: never show it that.
FZ_FUNCTION s32 fz_abs(s32 a) {
  return a < 0 ? (s32)((0u - (u32)a) & 0x7fffffffu) : a;
}
FZ_FUNCTION s64 fz_abs(s64 a) {
  return a < 0 ? (s64)((0ull - (u64)a) & ~(1ull << 63)) : a;
}
// NaN payloads and signs are not specified: they must not leak into integers.
FZ_FUNCTION u32 fz_bits(f32 a) {
  return a != a ? 0x7fffffffu : __float_as_uint(a);
}
FZ_FUNCTION u64 fz_bits(f64 a) {
  return a != a ? 0x7fffffffffffffffull : (u64)__double_as_longlong(a);
}
FZ_FUNCTION f32 fz_f32(u32 a) {
  return __uint_as_float(a);
}
FZ_FUNCTION f64 fz_f64(u64 a) {
  return __longlong_as_double((s64)a);
}
// A compiler's constant folding of an out-of-range conversion need not be what the chip does.
FZ_FUNCTION f32 fz_opaque(f32 a) {
  asm("" : "+" FZ_FLOAT_REGISTER(a));
  return a;
}
FZ_FUNCTION f64 fz_opaque(f64 a) {
  asm("" : "+" FZ_DOUBLE_REGISTER(a));
  return a;
}
FZ_FUNCTION bool fz_isnan(f32 a) {
  return a != a;
}
FZ_FUNCTION bool fz_isnan(f64 a) {
  return a != a;
}
FZ_FUNCTION f32 fz_copysign(f32 a, f32 b) {
  return b != b ? a : copysignf(a, b);
}
FZ_FUNCTION f64 fz_copysign(f64 a, f64 b) {
  return b != b ? a : copysign(a, b);
}

// The magnitude of INT_MIN is a number without a sign.
FZ_FUNCTION u32 fz_magnitude(s32 a) {
  return a < 0 ? 0u - (u32)a : (u32)a;
}
FZ_FUNCTION u64 fz_magnitude(s64 a) {
  return a < 0 ? 0ull - (u64)a : (u64)a;
}

#include "fuzz_packed.hpp"

FZ_FUNCTION void fz_start(FzState& s, u32* arr, const FzInput* in, u32 gid) {
  s.u0 = in->u[gid & 255u];
  s.u1 = in->u[(gid * 7u + 1u) & 255u];
  s.u2 = gid;
  s.u3 = 0x9e3779b9u * gid;
  s.i0 = (s32)in->u[(gid * 3u + 5u) & 255u];
  s.i1 = (s32)in->u[(gid + 77u) & 255u];
  s.i2 = (s32)gid - 16;
  s.f0 = in->f[gid & 255u];
  s.f1 = in->f[(gid * 5u + 3u) & 255u];
  s.f2 = (f32)(s32)in->u[(gid + 100u) & 255u];
  s.w0 = in->w[gid & 255u];
  s.w1 = in->w[(gid * 9u + 2u) & 255u];
  s.l0 = (s64)in->w[(gid + 31u) & 255u];
  s.l1 = (s64)s.i0;
  s.d0 = in->d[gid & 255u];
  s.d1 = in->d[(gid * 11u + 4u) & 255u];
  for (u32 j = 0; j < 8; ++j) {
    arr[j] = in->u[(gid + j * 13u) & 255u];
  }
}

#ifdef __CUDACC__

#define FZ_ARGUMENTS                                                                               \
  FzState &s, u32 *arr, FzShared *sh, const FzInput *in, FzAccumulators *acc,                      \
      const FzConstants &k, const u32 tid, const u32 gid
#define FUZZ_PHASE(name) static __device__ __forceinline__ void name(FZ_ARGUMENTS)
#define FUZZ_CALLED_PHASE(name) static __device__ __noinline__ void name(FZ_ARGUMENTS)
#define FUZZ_KERNEL(name, threads)                                                                 \
  extern "C" __global__ void __launch_bounds__(threads)                                            \
      name(const FzInput* in, FzOutput* out, FzAccumulators* acc, const FzConstants k) {           \
    __shared__ FzShared shared;                                                                    \
    FzShared* sh = &shared;                                                                        \
    const u32 tid = threadIdx.y * blockDim.x + threadIdx.x;                                        \
    const u32 gid = blockIdx.x * threads + tid;                                                    \
    for (u32 j = tid; j < sizeof(FzShared) / 4; j += threads) {                                    \
      ((u32*)sh)[j] = 0;                                                                           \
    }                                                                                              \
    FzState s;                                                                                     \
    u32 arr[8];                                                                                    \
    fz_start(s, arr, in, gid);
#define FUZZ_END                                                                                   \
  out[gid].s = s;                                                                                  \
  for (u32 j = 0; j < 8; ++j) {                                                                    \
    out[gid].arr[j] = arr[j];                                                                      \
  }                                                                                                \
  }
#define FUZZ_RUN(phase)                                                                            \
  __syncthreads();                                                                                 \
  phase(s, arr, sh, in, acc, k, tid, gid);
#define FUZZ_SHUFFLE(op, T, dst, value, parameter, width)                                          \
  s.dst = __shfl_##op##_sync(0xffffffffu, (T)(value), (parameter), width);
#define __shfl_idx_sync __shfl_sync
#define FUZZ_WARP(op, T, dst, member, value)                                                       \
  {                                                                                                \
    const bool belongs = (member);                                                                 \
    const u32 mask = __ballot_sync(0xffffffffu, belongs);                                          \
    if (belongs) {                                                                                 \
      s.dst = __##op##_sync(mask, (T)(value));                                                     \
    }                                                                                              \
  }
#define FUZZ_CTA_VOTE(op, dst, value) s.dst = __syncthreads_##op(value);

#endif
