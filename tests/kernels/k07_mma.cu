// SPDX-License-Identifier: Apache-2.0
// tensor core GEMMs: inline mma.sync + ldmatrix
#ifndef KITER
#define KITER 4
#endif
typedef unsigned u32;
__device__ __forceinline__ u32 s2u(const void* p) { return (u32)__cvta_generic_to_shared(p); }
#define LDSM4(r, a) asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(a))
#define LDSM2(r, a) asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1},[%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(a))
#define LDSM1(r, a) asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0},[%1];" : "=r"(r[0]) : "r"(a))
#define LDSM4T(r, a) asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3},[%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(a))
#define LDSM2T(r, a) asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1},[%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(a))
#define MMA_F32(SHAPE, TI, d, a0, a1, a2, a3, b0, b1) asm volatile("mma.sync.aligned." SHAPE ".row.col.f32." TI "." TI ".f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1))
template <int TY> __device__ __forceinline__ void mma16816(float* d, u32* a, u32* b) {
  if (TY == 0) MMA_F32("m16n8k16", "f16", d, a[0], a[1], a[2], a[3], b[0], b[1]);
  if (TY == 1) MMA_F32("m16n8k16", "bf16", d, a[0], a[1], a[2], a[3], b[0], b[1]);
  if (TY == 2) MMA_F32("m16n8k8", "tf32", d, a[0], a[1], a[2], a[3], b[0], b[1]);
}
template <int TY> __device__ __forceinline__ void gemm(const uint4* A, const uint4* B, float* C, int K) {
  __shared__ uint4 sa[2][128], sb[2][128];
  int t = threadIdx.x, lane = t & 31, w = t >> 5;
  float acc[2][4][4] = {};
  for (int k = 0; k < K; k++) {
    sa[k & 1][t] = A[(blockIdx.y * K + k) * 128 + t]; sb[k & 1][t] = B[(blockIdx.x * K + k) * 128 + t];
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < KITER / 2; kk++) {
      u32 a[2][4], b[4][2];
#pragma unroll
      for (int i = 0; i < 2; i++) LDSM4(a[i], s2u(&sa[k & 1][(lane ^ (kk * 2)) + i * 32 + (w & 1) * 64]));
#pragma unroll
      for (int i = 0; i < 4; i++) { if (i & 1) LDSM2T(b[i], s2u(&sb[k & 1][(lane & 15) + i * 16 + kk])); else LDSM2(b[i], s2u(&sb[k & 1][(lane & 15) + i * 16 + kk])); }
#pragma unroll
      for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) mma16816<TY>(acc[i][j], a[i], b[j]);
    }
  }
#pragma unroll
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++) *(float4*)&C[((blockIdx.y * gridDim.x + blockIdx.x) * 128 + t) * 32 + i * 16 + j * 4] = make_float4(acc[i][j][0], acc[i][j][1], acc[i][j][2], acc[i][j][3]);
}
extern "C" __global__ void mma_f16(const uint4* A, const uint4* B, float* C, int K) { gemm<0>(A, B, C, K); }
extern "C" __global__ void mma_bf16(const uint4* A, const uint4* B, float* C, int K) { gemm<1>(A, B, C, K); }
extern "C" __global__ void mma_tf32(const uint4* A, const uint4* B, float* C, int K) { gemm<2>(A, B, C, K); }
extern "C" __global__ void mma_misc(const u32* A, const u32* B, u32* C) {
  int t = threadIdx.x; u32 a[4], b[2]; float d[4] = {0, 0, 0, 0}; u32 h[2] = {0, 0}; int s[4] = {0, 0, 0, 0};
  for (int i = 0; i < 4; i++) a[i] = A[t * 4 + i];
  for (int i = 0; i < 2; i++) b[i] = B[t * 2 + i];
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};" : "+r"(h[0]), "+r"(h[1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3},{%4},{%0,%1};" : "+r"(h[0]), "+r"(h[1]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#define IM4(SH, TA, TB, X) asm volatile("mma.sync.aligned." SH ".row.col" X ".s32." TA "." TB ".s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#define IM2(SH, TA, TB, X) asm volatile("mma.sync.aligned." SH ".row.col" X ".s32." TA "." TB ".s32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};" : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  IM4("m16n8k32", "s8", "s8", "") IM4("m16n8k32", "u8", "s8", "") IM4("m16n8k32", "s8", "u8", ".satfinite") IM4("m16n8k32", "u8", "u8", "")
  IM2("m16n8k16", "s8", "s8", "") IM2("m16n8k16", "u8", "u8", ".satfinite")
  IM4("m16n8k64", "s4", "s4", "") IM4("m16n8k64", "u4", "s4", "") IM4("m16n8k64", "u4", "u4", ".satfinite") IM2("m16n8k32", "s4", "u4", "")
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0,%1},{%2},{%3},{%0,%1};" : "+r"(s[0]), "+r"(s[1]) : "r"(a[0]), "r"(b[0]));
  asm volatile("mma.sync.aligned.m8n8k32.row.col.s32.u4.s4.s32 {%0,%1},{%2},{%3},{%0,%1};" : "+r"(s[0]), "+r"(s[1]) : "r"(a[0]), "r"(b[0]));
  asm volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  asm volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  asm volatile("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};" : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  double dd[2] = {0, 0};
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};" : "+d"(dd[0]), "+d"(dd[1]) : "d"((double)d[0]), "d"((double)d[1]));
  for (int i = 0; i < 4; i++) { C[t * 16 + i] = __float_as_uint(d[i]); C[t * 16 + 4 + i] = s[i]; }
  C[t * 16 + 8] = h[0]; C[t * 16 + 9] = h[1]; ((double*)C)[t * 8 + 5] = dd[0]; ((double*)C)[t * 8 + 6] = dd[1];
}
extern "C" __global__ void mma_sparse(const u32* A, const u32* B, float* C) {
  int t = threadIdx.x; u32 a[4], b[4]; float d[4] = {0, 0, 0, 0};
  for (int i = 0; i < 4; i++) { a[i] = A[t * 4 + i]; b[i] = B[t * 4 + i]; }
  u32 e = A[999 + t];
  asm volatile("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9,%10,%11},{%0,%1,%2,%3},%12,0x0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(e));
  asm volatile("mma.sp.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},{%4,%5},{%6,%7},{%0,%1,%2,%3},%8,0x1;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(e));
  for (int i = 0; i < 4; i++) C[t * 4 + i] = d[i];
}
extern "C" __global__ void ldsm_all(u32* o, const u32* g) {
  __shared__ u32 s[1024]; int t = threadIdx.x; s[t] = g[t]; s[t + 256] = g[t + 256]; __syncthreads();
  u32 r[4] = {}, q[4] = {}, p[4] = {}; LDSM1(r, s2u(&s[t * 4])); LDSM4T(q, s2u(&s[t * 4 + 16])); LDSM2T(p, s2u(&s[t * 4 + 32]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0},[%1];" : "=r"(r[1]) : "r"(s2u(&s[t * 4 + 64])));
  u32 mt; asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0,%1;" : "=r"(mt) : "r"(r[0]));
  o[t] = r[0] + r[1] + q[0] + q[1] * q[2] + q[3] + p[0] + p[1] + mt;
}
