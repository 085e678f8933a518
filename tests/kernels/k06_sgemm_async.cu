// SPDX-License-Identifier: Apache-2.0
// multi-stage sgemm with cp.async (PTX inline + __pipeline style)
#ifndef STAGES
#define STAGES 2
#endif
#ifndef BM
#define BM 64
#endif
#ifndef BK
#define BK 16
#endif
#ifndef CB
#define CB 16
#endif
#define NT 256
__device__ __forceinline__ unsigned s2u(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
template <int B> __device__ __forceinline__ void cpa(void* d, const void* s, bool ok) {
  int n = ok ? B : 0;
  if (B == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(s2u(d)), "l"(s), "r"(n) : "memory");
  else asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(s2u(d)), "l"(s), "n"(B), "r"(n) : "memory");
}
extern "C" __global__ void __launch_bounds__(NT) sgemm_cpasync(int M, int N, int K, const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C) {
  extern __shared__ float4 sm4[];
  float* As = (float*)sm4; float* Bs = As + STAGES * BM * BK;
  int tid = threadIdx.x, tx = tid % 16, ty = tid / 16, r0 = blockIdx.y * BM, c0 = blockIdx.x * 64;
  float acc[BM / 16][4] = {};
  auto load = [&](int st, int k0) {
    constexpr int E = CB / 4;
#pragma unroll
    for (int i = tid; i < BM * BK / E; i += NT) { int r = i / (BK / E), c = i % (BK / E) * E; cpa<CB>(&As[st * BM * BK + r * BK + c], &A[(size_t)(r0 + r) * K + k0 + c], r0 + r < M); }
#pragma unroll
    for (int i = tid; i < 64 * BK / E; i += NT) { int r = i / (64 / E), c = i % (64 / E) * E; cpa<CB>(&Bs[st * 64 * BK + r * 64 + c], &B[(size_t)(k0 + r) * N + c0 + c], k0 + r < K); }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  int nk = K / BK;
#pragma unroll
  for (int s = 0; s < STAGES - 1; s++) load(s, s * BK);
  for (int t = 0; t < nk; t++) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();
    if (t + STAGES - 1 < nk) load((t + STAGES - 1) % STAGES, (t + STAGES - 1) * BK);
    float* a = As + (t % STAGES) * BM * BK; float* b = Bs + (t % STAGES) * 64 * BK;
#pragma unroll
    for (int k = 0; k < BK; k++) {
      float4 bv = *(float4*)&b[k * 64 + tx * 4];
#pragma unroll
      for (int i = 0; i < BM / 16; i++) { float av = a[(ty * (BM / 16) + i) * BK + k]; acc[i][0] += av * bv.x; acc[i][1] += av * bv.y; acc[i][2] += av * bv.z; acc[i][3] += av * bv.w; }
    }
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
#pragma unroll
  for (int i = 0; i < BM / 16; i++) *(float4*)&C[(size_t)(r0 + ty * (BM / 16) + i) * N + c0 + tx * 4] = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}
extern "C" __global__ void cpasync_sizes(const char* g, float* o) {
  __shared__ __align__(16) char s[4096];
  int t = threadIdx.x;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(s2u(s + t * 4)), "l"(g + t * 4));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(s2u(s + 1024 + t * 8)), "l"(g + t * 8));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(s2u(s + 2048 + t * 16)), "l"(g + t * 16));
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(s2u(s + 2048 + t * 16)), "l"(g + 64 + t * 16));
  asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16;" ::"r"(s2u(s + 2048 + t * 16)), "l"(g + 128 + t * 16));
  asm volatile("cp.async.ca.shared.global.L2::64B [%0], [%1], 4;" ::"r"(s2u(s + t * 4)), "l"(g + 192 + t * 4));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();
  o[t] = *(float*)(s + 4 * (t ^ 7));
}
// mbarrier based asynchronous copy; every thread arrives twice, once through its copy
extern "C" __global__ void mbar_copy(const float* g, float* o) {
  __shared__ __align__(16) float s[1024]; __shared__ unsigned long long bar;
  int t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(s2u(&bar)), "r"(2 * blockDim.x));
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(s2u(s + t)), "l"(g + t));
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(s2u(&bar)));
  unsigned long long st; unsigned ok = 0;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(st) : "r"(s2u(&bar)));
  while (!ok) asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0,1,0,p; }" : "=r"(ok) : "r"(s2u(&bar)), "l"(st) : "memory");
  o[t] = s[t ^ 1];
}
