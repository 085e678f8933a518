// SPDX-License-Identifier: Apache-2.0
#ifndef BINS
#define BINS 256
#endif
#ifndef BS
#define BS 256
#endif
extern "C" __global__ void hist_shared(const unsigned char* x, unsigned* h, int n) {
  __shared__ unsigned s[BINS];
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) s[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[x[i] % BINS], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) if (s[i]) atomicAdd(&h[i], s[i]);
}
extern "C" __global__ void atomics_all(int* a, unsigned* u, float* f, double* d, unsigned long long* l, int* out) {
  int t = threadIdx.x;
  int r = atomicAdd(a, t) + atomicMin(a + 1, t) + atomicMax(a + 2, t) + atomicAnd(a + 3, t) + atomicOr(a + 4, t) + atomicXor(a + 5, t) + atomicExch(a + 6, t) + atomicCAS(a + 7, t, 5) + atomicSub(a + 8, t);
  r += atomicInc(u, 17) + atomicDec(u + 1, 9) + atomicMin(u + 2, t) + atomicMax(u + 3, t);
  r += (int)atomicAdd(f, 1.5f) + (int)atomicExch(f + 1, 2.f) + (int)atomicAdd(d, 2.5) + (int)atomicAdd(l, 7ull) + (int)atomicCAS(l + 1, 3ull, 5ull) + (int)atomicExch(l + 2, 9ull) + (int)atomicMax(l + 3, 9ull) + (int)atomicAnd(l + 4, 9ull) + (int)atomicMin((long long*)l + 5, -3ll);
  out[t] = r;
  atomicAdd(a + 20, t); atomicMin(a + 21, t); atomicMax(a + 22, t); atomicAnd(a + 23, t); atomicOr(a + 24, t); atomicXor(a + 25, t); atomicInc(u + 26, t); atomicDec(u + 27, t); atomicAdd(f + 9, 3.f); atomicAdd(d + 9, 1.0); atomicAdd(l + 9, 5ull); atomicMax(l + 10, 5ull); atomicOr(l + 11, 5ull); atomicMin((long long*)l + 12, (long long)t);
  atomicAdd_system(a + 30, t); atomicAdd_block(a + 31, t); r = atomicAdd_system(a + 32, t) + atomicAdd_block(a + 33, t); out[t + 64] = r;
}
extern "C" __global__ void atomics_shared(int* o, float fv, double dv) {
  __shared__ int a[16]; __shared__ unsigned u[4]; __shared__ float f[4]; __shared__ double d[2]; __shared__ unsigned long long l[8];
  int t = threadIdx.x; if (t < 16) { a[t] = t; u[t & 3] = t; f[t & 3] = t; d[t & 1] = t; l[t & 7] = t; }
  __syncthreads();
  int r = atomicAdd(a, t) + atomicMin(a + 1, t) + atomicMax(a + 2, t) + atomicAnd(a + 3, t) + atomicOr(a + 4, t) + atomicXor(a + 5, t) + atomicExch(a + 6, t) + atomicCAS(a + 7, t, 5) + atomicInc(u, 17) + atomicDec(u + 1, 9) + atomicMin(u + 2, t);
  r += (int)atomicAdd(f, fv) + (int)atomicExch(f + 1, fv) + (int)atomicAdd(d, dv) + (int)atomicAdd(l, 7ull) + (int)atomicCAS(l + 1, 3ull, (unsigned long long)t) + (int)atomicExch(l + 2, 9ull) + (int)atomicMax(l + 3, 9ull) + (int)atomicXor(l + 4, 5ull);
  atomicAdd(a + 9, 1); atomicMax(a + 10, t); atomicOr(a + 11, t); atomicAdd(f + 2, fv);
  __syncthreads(); o[t] = r + a[t & 15] + (int)f[t & 3] + (int)d[t & 1] + (int)l[t & 7];
}
#include <cuda_fp16.h>
extern "C" __global__ void atomics_half(__half2* h, __half* g) { atomicAdd(h, __floats2half2_rn(1.f, 2.f)); atomicAdd(g + 7, __float2half(3.f)); h[9] = atomicAdd(h + 1, h[2]); }
extern "C" __global__ void scan_block(const int* __restrict__ in, int* out, int* sums, int n) {
  __shared__ int ws[32]; int t = threadIdx.x, i = blockIdx.x * BS + t, v = i < n ? in[i] : 0, s = v, lane = t & 31, w = t >> 5;
#pragma unroll
  for (int o = 1; o < 32; o *= 2) { int q = __shfl_up_sync(~0u, s, o); if (lane >= o) s += q; }
  if (lane == 31) ws[w] = s;
  __syncthreads();
  if (w == 0) { int z = lane < BS / 32 ? ws[lane] : 0; for (int o = 1; o < 32; o *= 2) { int q = __shfl_up_sync(~0u, z, o); if (lane >= o) z += q; } ws[lane] = z; }
  __syncthreads();
  int base = w ? ws[w - 1] : 0; if (i < n) out[i] = base + s - v; if (t == BS - 1 && sums) sums[blockIdx.x] = base + s;
}
extern "C" __global__ void scan_blelloch(float* g, int n) {
  extern __shared__ float tmp[]; int t = threadIdx.x, off = 1; tmp[2 * t] = g[2 * t]; tmp[2 * t + 1] = g[2 * t + 1];
  for (int d = n >> 1; d > 0; d >>= 1) { __syncthreads(); if (t < d) { int ai = off * (2 * t + 1) - 1, bi = off * (2 * t + 2) - 1; tmp[bi] += tmp[ai]; } off *= 2; }
  if (t == 0) tmp[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) { off >>= 1; __syncthreads(); if (t < d) { int ai = off * (2 * t + 1) - 1, bi = off * (2 * t + 2) - 1; float x = tmp[ai]; tmp[ai] = tmp[bi]; tmp[bi] += x; } }
  __syncthreads(); g[2 * t] = tmp[2 * t]; g[2 * t + 1] = tmp[2 * t + 1];
}
extern "C" __global__ void bitonic(unsigned* d, int n) {
  __shared__ unsigned s[BS * 2]; int t = threadIdx.x; s[t] = d[t]; s[t + BS] = d[t + BS];
  for (int k = 2; k <= BS * 2; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
      __syncthreads(); int p = 2 * t - (t & (j - 1)); bool up = (p & k) == 0; unsigned a = s[p], b = s[p + j]; if ((a > b) == up) { s[p] = b; s[p + j] = a; }
    }
  __syncthreads(); d[t] = s[t]; d[t + BS] = s[t + BS];
}
extern "C" __global__ void bitonic_global(float* k, int* v, int j, int kk) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i ^ j;
  if (x > i) { float a = k[i], b = k[x]; if ((i & kk) == 0 ? a > b : a < b) { k[i] = b; k[x] = a; int t = v[i]; v[i] = v[x]; v[x] = t; } }
}
extern "C" __global__ void radix_rank(const unsigned* in, unsigned* out, int shift, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned k = i < n ? (in[i] >> shift) & 15 : 15, m = ~0u;
  for (int b = 0; b < 4; b++) { unsigned q = __ballot_sync(~0u, (k >> b) & 1); m &= ((k >> b) & 1) ? q : ~q; }
  unsigned lt; asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lt)); out[i] = __popc(m & lt) | (__popc(m) << 8) | (__ffs(m) << 16);
}
