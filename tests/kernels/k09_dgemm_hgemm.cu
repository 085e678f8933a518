// SPDX-License-Identifier: Apache-2.0
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#ifndef TS
#define TS 16
#endif
#ifndef TM
#define TM 4
#endif
extern "C" __global__ void dgemm(int N, int K, double alpha, const double* __restrict__ A, const double* __restrict__ B, double* C) {
  __shared__ double a[TS * TM][TS + 1], b[TS][TS];
  int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * TS * TM, c = blockIdx.x * TS + tx; double acc[TM] = {};
  for (int k0 = 0; k0 < K; k0 += TS) {
#pragma unroll
    for (int i = 0; i < TM; i++) a[ty + i * TS][tx] = A[(r + ty + i * TS) * K + k0 + tx];
    b[ty][tx] = B[(k0 + ty) * N + c];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TS; k++)
#pragma unroll
      for (int i = 0; i < TM; i++) acc[i] += a[ty + i * TS][k] * b[k][tx];
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM; i++) C[(r + ty + i * TS) * N + c] = alpha * acc[i] - C[(r + ty + i * TS) * N + c];
}
extern "C" __global__ void hgemm2(int N2, int K, const __half* __restrict__ A, const __half2* __restrict__ B, __half2* C, __half alpha) {
  __shared__ __half a[TS * TM][TS]; __shared__ __half2 b[TS][TS];
  int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * TS * TM, c = blockIdx.x * TS + tx; __half2 acc[TM];
  for (int i = 0; i < TM; i++) acc[i] = __float2half2_rn(0.f);
  for (int k0 = 0; k0 < K; k0 += TS) {
    for (int i = 0; i < TM; i++) a[ty + i * TS][tx] = A[(r + ty + i * TS) * K + k0 + tx];
    b[ty][tx] = B[(k0 + ty) * N2 + c];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TS; k++)
#pragma unroll
      for (int i = 0; i < TM; i++) acc[i] = __hfma2(__half2half2(a[ty + i * TS][k]), b[k][tx], acc[i]);
    __syncthreads();
  }
  for (int i = 0; i < TM; i++) C[(r + ty + i * TS) * N2 + c] = __hmul2(acc[i], __half2half2(alpha));
}
extern "C" __global__ void half_ops(const __half2* x, const __half2* y, __half2* o, __half s, int n) {
  int i = threadIdx.x; __half2 a = x[i], b = y[i], r;
  r = __hadd2(a, b); r = __hsub2(r, __hmul2(a, b)); r = __hfma2_sat(r, a, b); r = __hadd2_sat(r, a); r = __hmul2_sat(r, b); r = __hneg2(r); r = __habs2(r);
  r = __hmax2(r, a); r = __hmin2(r, b); r = __hfma2_relu(r, a, b); o[i] = r;
  __half2 q = __lowhigh2highlow(a); q = __hadd2(q, __high2half2(b)); q = __hfma2(q, __low2half2(a), b); o[i + n] = q;
  __half h = __low2half(a), k = __high2half(b);
  if (__hgt(h, k)) h = __hadd(h, s); if (__hle(h, k)) k = __hmul(h, k); if (__hne(h, s)) h = __hfma(h, k, s); if (__heq(k, s)) h = __hneg(h);
  o[i + 2 * n] = __halves2half2(h, k);
  o[i + 3 * n] = __hgt2(a, b); o[i + 4 * n] = __heq2(a, b); if (__hbge2(a, b)) o[i + 5 * n] = __hltu2(a, b); if (__hbneu2(a, b)) o[i + 6 * n] = a;
  o[i + 7 * n] = h2exp2(a); o[i + 8 * n] = h2rcp(b); o[i + 9 * n] = h2sqrt(a); o[i + 10 * n] = h2rsqrt(a); o[i + 11 * n] = h2log2(b); o[i + 12 * n] = h2tanh_approx(a);
  o[i + 13 * n] = h2exp(a); o[i + 14 * n] = h2sin(a); o[i + 15 * n] = h2floor(a); o[i + 16 * n] = h2rint(b); o[i + 17 * n] = __h2div(a, b);
  o[i + 18 * n] = __hadd2(a, __float2half2_rn(1.5f)); o[i + 19 * n] = __hmul2(a, __float2half2_rn(0.25f)); o[i + 20 * n] = __hfma2(a, __float2half2_rn(3.f), __float2half2_rn(0.5f));
}
extern "C" __global__ void bf16_ops(const __nv_bfloat162* x, const __nv_bfloat162* y, __nv_bfloat162* o, int n) {
  int i = threadIdx.x; __nv_bfloat162 a = x[i], b = y[i], r;
  r = __hadd2(a, b); r = __hfma2(r, a, b); r = __hmul2(r, b); r = __hmax2(r, a); r = __hmin2(r, b); r = __hneg2(r); r = __habs2(r); o[i] = r; r = __hfma2_relu(r, a, b); o[i + n] = r;
  o[i + 2 * n] = __floats2bfloat162_rn(__low2float(a) * 2.f, __high2float(b) + 1.f); o[i + 3 * n] = __hgt2(a, b); o[i + 4 * n] = h2exp2(a); o[i + 5 * n] = h2tanh_approx(a);
  if (__hlt(__low2bfloat16(a), __high2bfloat16(b))) o[i + 6 * n] = __float2bfloat162_rn(3.25f);
}
