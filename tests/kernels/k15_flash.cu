// SPDX-License-Identifier: Apache-2.0
// flash-attention style fused kernel: tensor-core and scalar versions
#include <cuda_fp16.h>
#ifndef BR
#define BR 64
#endif
#ifndef BC
#define BC 32
#endif
#ifndef D
#define D 64
#endif
typedef unsigned u32;
__device__ __forceinline__ u32 s2u(const void* p) { return (u32)__cvta_generic_to_shared(p); }
__device__ __forceinline__ u32 pk(float a, float b) { __half2 h = __floats2half2_rn(a, b); return *(u32*)&h; }
extern "C" __global__ void __launch_bounds__(BR * 2) flash_mma(const __half* __restrict__ Q, const __half* __restrict__ Kp, const __half* __restrict__ V, __half* O, int S, float scale) {
  extern __shared__ __align__(16) __half sm[]; __half *sq = sm, *sk = sm + BR * D, *sv = sk + BC * D;
  int t = threadIdx.x, l = t & 31, w = t >> 5; const __half* q = Q + (size_t)blockIdx.y * S * D + (size_t)blockIdx.x * BR * D; const __half* kb = Kp + (size_t)blockIdx.y * S * D; const __half* vb = V + (size_t)blockIdx.y * S * D;
  for (int i = t; i < BR * D / 8; i += BR * 2) asm volatile("cp.async.cg.shared.global [%0],[%1],16;" ::"r"(s2u(sq + i * 8)), "l"(q + i * 8));
  asm volatile("cp.async.commit_group;");
  float o[D / 8][4] = {}, m0 = -1e30f, m1 = -1e30f, l0 = 0, l1 = 0;
  for (int j = 0; j < S; j += BC) {
    __syncthreads();
    for (int i = t; i < BC * D / 8; i += BR * 2) { asm volatile("cp.async.cg.shared.global [%0],[%1],16;" ::"r"(s2u(sk + i * 8)), "l"(kb + j * D + i * 8)); asm volatile("cp.async.cg.shared.global [%0],[%1],16;" ::"r"(s2u(sv + i * 8)), "l"(vb + j * D + i * 8)); }
    asm volatile("cp.async.commit_group;"); asm volatile("cp.async.wait_group 0;" ::: "memory"); __syncthreads();
    float s[BC / 8][4] = {};
#pragma unroll
    for (int k = 0; k < D; k += 16) {
      u32 a[4]; asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];" : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(s2u(sq + (w * 16 + (l & 15)) * D + k + (l >> 4) * 8)));
#pragma unroll
      for (int n = 0; n < BC / 8; n++) {
        u32 b[2]; asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1},[%2];" : "=r"(b[0]), "=r"(b[1]) : "r"(s2u(sk + (n * 8 + (l & 7)) * D + k + ((l >> 3) & 1) * 8)));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" : "+f"(s[n][0]), "+f"(s[n][1]), "+f"(s[n][2]), "+f"(s[n][3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
      }
    }
    float n0 = m0, n1 = m1;
#pragma unroll
    for (int n = 0; n < BC / 8; n++) { for (int i = 0; i < 4; i++) s[n][i] *= scale; n0 = fmaxf(n0, fmaxf(s[n][0], s[n][1])); n1 = fmaxf(n1, fmaxf(s[n][2], s[n][3])); }
    for (int x = 1; x < 4; x *= 2) { n0 = fmaxf(n0, __shfl_xor_sync(~0u, n0, x)); n1 = fmaxf(n1, __shfl_xor_sync(~0u, n1, x)); }
    float c0 = exp2f(m0 - n0), c1 = exp2f(m1 - n1), r0 = 0, r1 = 0; m0 = n0; m1 = n1;
#pragma unroll
    for (int n = 0; n < BC / 8; n++) { s[n][0] = exp2f(s[n][0] - m0); s[n][1] = exp2f(s[n][1] - m0); s[n][2] = exp2f(s[n][2] - m1); s[n][3] = exp2f(s[n][3] - m1); r0 += s[n][0] + s[n][1]; r1 += s[n][2] + s[n][3]; }
    for (int x = 1; x < 4; x *= 2) { r0 += __shfl_xor_sync(~0u, r0, x); r1 += __shfl_xor_sync(~0u, r1, x); }
    l0 = l0 * c0 + r0; l1 = l1 * c1 + r1;
#pragma unroll
    for (int n = 0; n < D / 8; n++) { o[n][0] *= c0; o[n][1] *= c0; o[n][2] *= c1; o[n][3] *= c1; }
#pragma unroll
    for (int k = 0; k < BC / 16; k++) {
      u32 a[4] = {pk(s[2 * k][0], s[2 * k][1]), pk(s[2 * k][2], s[2 * k][3]), pk(s[2 * k + 1][0], s[2 * k + 1][1]), pk(s[2 * k + 1][2], s[2 * k + 1][3])};
#pragma unroll
      for (int n = 0; n < D / 8; n++) {
        u32 b[2]; asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1},[%2];" : "=r"(b[0]), "=r"(b[1]) : "r"(s2u(sv + (k * 16 + (l & 15)) * D + n * 8)));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" : "+f"(o[n][0]), "+f"(o[n][1]), "+f"(o[n][2]), "+f"(o[n][3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
      }
    }
  }
  float i0 = 1.f / l0, i1 = 1.f / l1; __half* ob = O + (size_t)blockIdx.y * S * D + (size_t)(blockIdx.x * BR + w * 16 + l / 4) * D + (l & 3) * 2;
#pragma unroll
  for (int n = 0; n < D / 8; n++) { *(u32*)(ob + n * 8) = pk(o[n][0] * i0, o[n][1] * i0); *(u32*)(ob + n * 8 + 8 * D) = pk(o[n][2] * i1, o[n][3] * i1); }
}
extern "C" __global__ void flash_scalar(const float* Q, const float* K, const float* V, float* O, int S, float scale) {
  __shared__ float sk[BC][D + 1], sv[BC][D]; int r = blockIdx.x * blockDim.x + threadIdx.x; float q[16], o[16] = {}, m = -1e30f, l = 0;
#pragma unroll
  for (int i = 0; i < 16; i++) q[i] = Q[r * 16 + i] * scale;
  for (int j = 0; j < S; j += BC) {
    for (int i = threadIdx.x; i < BC * 16; i += blockDim.x) { sk[i / 16][i % 16] = K[j * 16 + i]; sv[i / 16][i % 16] = V[j * 16 + i]; }
    __syncthreads();
    for (int c = 0; c < BC; c++) {
      float s = 0;
#pragma unroll
      for (int i = 0; i < 16; i++) s += q[i] * sk[c][i];
      float nm = fmaxf(m, s), p = __expf(s - nm), k = __expf(m - nm); l = l * k + p; m = nm;
#pragma unroll
      for (int i = 0; i < 16; i++) o[i] = o[i] * k + p * sv[c][i];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 16; i++) O[r * 16 + i] = o[i] / l;
}
