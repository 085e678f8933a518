// SPDX-License-Identifier: Apache-2.0
// forms that other kernels do not show: uniform addresses of local and shared memory, generic
// atomics and mbarriers, single conversions, packed saturation, cache hints
typedef unsigned u32; typedef unsigned short u16; typedef unsigned long long u64;
__device__ inline u32 s2u(const void* p) { return (u32)__cvta_generic_to_shared(p); }

extern "C" __global__ void local_uniform(const u32* x, u32* o, int n) {
  volatile u32 l[32];
  for (int i = 0; i < 32; i++) l[i] = x[threadIdx.x * 32 + i];
  u32 r = l[n];
  l[n + 3] = r * 3 + 1;
  u32 k = 0;
  for (int i = 0; i < 32; i++) k = k * 31 + l[i];
  o[threadIdx.x] = r ^ k;
}
extern "C" __global__ void shared_forms(const u32* x, u32* o, int n) {
  __shared__ u32 s[64];
  __shared__ u64 w[64];
  int t = threadIdx.x;
  s[t & 63] = 0; w[t & 63] = 0;
  __syncthreads();
  atomicAdd(&s[x[t] & 63], t + 1);
  atomicAdd(&s[n], x[t]);
  atomicMax(&s[n + 1], x[t]);
  atomicAdd(&w[x[t] & 63], (u64)x[t] * x[t]);
  atomicXor(&w[n], (u64)x[t] << 20);
  __syncthreads();
  if (t < 64) { o[t] = s[t]; o[64 + t] = (u32)w[t]; o[128 + t] = (u32)(w[t] >> 32); }
}
extern "C" __global__ void convert_one(const float* x, u16* o) {
  int t = threadIdx.x;
  u16 a, b, c, d;
  asm("cvt.rn.relu.bf16.f32 %0,%1;" : "=h"(a) : "f"(x[t]));
  asm("cvt.rz.relu.bf16.f32 %0,%1;" : "=h"(b) : "f"(x[t]));
  asm("cvt.rn.relu.f16.f32 %0,%1;" : "=h"(c) : "f"(x[t]));
  asm("cvt.rz.relu.f16.f32 %0,%1;" : "=h"(d) : "f"(x[t]));
  o[t * 4] = a; o[t * 4 + 1] = b; o[t * 4 + 2] = c; o[t * 4 + 3] = d;
}
#if __CUDA_ARCH__ >= 860
#define XORSIGN(op, type, max, high) asm(op ".xorsign.abs." type " %0,%1,%2;" : "=r"(r) : "r"(a[t]), "r"(b[t]));
#define XORSIGN_F32(op, max) asm(op ".xorsign.abs.f32 %0,%1,%2;" : "=f"(f) : "f"(__uint_as_float(a[t])), "f"(__uint_as_float(b[t]))); r = __float_as_uint(f);
#else // of the halves' bits: without NaN, magnitudes order as integers do
__device__ inline u32 one(u32 a, u32 b, bool max, u32 infinity) {
  u32 x = a & 0x7fff, y = b & 0x7fff, m = x > infinity ? y : y > infinity ? x : (x < y) == max ? y : x;
  return m > infinity ? 0x7fff : m | ((a ^ b) & 0x8000);
}
#define XORSIGN_F32(op, max) f = max ? fmaxf(fabsf(__uint_as_float(a[t])), fabsf(__uint_as_float(b[t]))) : fminf(fabsf(__uint_as_float(a[t])), fabsf(__uint_as_float(b[t]))); r = __float_as_uint(f); r = isnan(f) ? r : r | ((a[t] ^ b[t]) & 0x80000000u);
#define XORSIGN(op, type, max, high) r = one(a[t] & 0xffff, b[t] & 0xffff, max, high) | one(a[t] >> 16, b[t] >> 16, max, high) << 16;
#endif
extern "C" __global__ void xor_sign(const u32* a, const u32* b, u32* o) {
  int t = threadIdx.x;
  u32 r;
  float f;
  XORSIGN("min", "f16x2", false, 0x7c00) o[t * 6] = r;
  XORSIGN("max", "f16x2", true, 0x7c00) o[t * 6 + 1] = r;
  XORSIGN("min", "bf16x2", false, 0x7f80) o[t * 6 + 2] = r;
  XORSIGN("max", "bf16x2", true, 0x7f80) o[t * 6 + 3] = r;
  XORSIGN_F32("min", false) o[t * 6 + 4] = r;
  XORSIGN_F32("max", true) o[t * 6 + 5] = r;
}
#define PACK3(i, type) asm("cvt.pack.sat." type ".s32.b32 %0,%1,%2,%3;" : "=r"(r) : "r"(a[t]), "r"(b[t]), "r"(c[t])); o[t * 8 + i] = r;
#define PACK2(i, type) asm("cvt.pack.sat." type ".s32 %0,%1,%2;" : "=r"(r) : "r"(a[t]), "r"(b[t])); o[t * 8 + i] = r;
extern "C" __global__ void pack(const int* a, const int* b, const int* c, u32* o) {
  int t = threadIdx.x;
  u32 r;
  PACK3(0, "u8") PACK3(1, "s8") PACK2(2, "u16") PACK2(3, "s16") PACK3(4, "u2") PACK3(5, "s2") PACK3(6, "u4") PACK3(7, "s4")
}
extern "C" __global__ void saturating(const int* a, const int* b, const int* c, int* o) {
  int t = threadIdx.x, r;
  asm("add.sat.s32 %0,%1,%2;" : "=r"(r) : "r"(a[t]), "r"(b[t])); o[t * 4] = r;
  asm("sub.sat.s32 %0,%1,%2;" : "=r"(r) : "r"(a[t]), "r"(b[t])); o[t * 4 + 1] = r;
  asm("mad.hi.sat.s32 %0,%1,%2,%3;" : "=r"(r) : "r"(a[t]), "r"(b[t]), "r"(c[t])); o[t * 4 + 2] = r;
  asm("mad24.hi.sat.s32 %0,%1,%2,%3;" : "=r"(r) : "r"(a[t]), "r"(b[t]), "r"(c[t])); o[t * 4 + 3] = r;
}
extern "C" __global__ void generic_atomics(u64* g, u64* o) {
  __shared__ u64 s[96];
  u64 l[4];
  int t = threadIdx.x;
  s[t] = t; l[t & 3] = t;
  u64* p = t % 3 == 0 ? g + t : t % 3 == 1 ? s + t : l + (t & 3);
  u64 r = atomicAdd(p, (u64)t << 33 | 5);
  r = r * 31 + atomicAdd((u32*)p, 7u + t);
  r = r * 31 + atomicMax((int*)p, 20);
  r = r * 31 + atomicCAS((u32*)p, 20u, 99u);
  r = r * 31 + atomicExch((u32*)p + 1, 1000u + t);
  r = r * 31 + atomicCAS(p, (u64)(1000 + t) << 32 | 99, 3ull);
  r = r * 31 + atomicInc((u32*)p, 2u);
  r = r * 31 + __float_as_uint(atomicAdd((float*)p, 0.5f));
  o[t] = r * 31 + *p;
}
extern "C" __global__ void generic_mbarrier(const float* x, float* o) {
  __shared__ float s[64];
  __shared__ u64 bar;
  int t = threadIdx.x;
  u64 state; u32 done = 0;
  if (t == 0) asm volatile("mbarrier.init.b64 [%0],%1;" ::"l"(&bar), "r"(blockDim.x * 3));
  __syncthreads();
  asm volatile("mbarrier.arrive.noComplete.b64 %0,[%1],1;" : "=l"(state) : "l"(&bar) : "memory");
  asm volatile("cp.async.ca.shared.global [%0],[%1],4;" ::"r"(s2u(s + t)), "l"(x + t));
  asm volatile("cp.async.mbarrier.arrive.b64 [%0];" ::"l"(&bar) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.b64 [%0];" ::"l"(&bar) : "memory");
  asm volatile("mbarrier.arrive.b64 %0,[%1];" : "=l"(state) : "l"(&bar) : "memory");
  while (!done) asm volatile("{ .reg .pred p; mbarrier.test_wait.b64 p,[%1],%2; selp.u32 %0,1,0,p; }" : "=r"(done) : "l"(&bar), "l"(state) : "memory");
  o[t] = s[t ^ 33];
}
extern "C" __global__ void hinted(const float* x, float* o, u32* pm) {
  __shared__ __align__(16) float s[192];
  volatile float l[2];
  int t = threadIdx.x;
  u64 policy; u32 r; float f;
  l[t & 1] = 0.0f;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0;" : "=l"(policy));
  asm volatile("cp.async.ca.shared.global.L2::cache_hint [%0],[%1],4,%2;" ::"r"(s2u(s + t)), "l"(x + t), "l"(policy));
  if (t < 16) {
    asm volatile("cp.async.ca.shared.global.L2::cache_hint [%0],[%1],8,%2;" ::"r"(s2u(s + 64 + 2 * t)), "l"(x + 64 + 2 * t), "l"(policy));
    asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0],[%1],16,%2;" ::"r"(s2u(s + 128 + 4 * t)), "l"(x + 128 + 4 * t), "l"(policy));
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  asm volatile("prefetch.local.L1 [%0];" ::"l"(__cvta_generic_to_local((const void*)l)));
  asm volatile("prefetch.local.L2 [%0];" ::"l"(__cvta_generic_to_local((const void*)l)));
  asm volatile("pmevent 3;");
  __syncthreads();
  asm volatile("ld.mmio.relaxed.sys.global.f32 %0,[%1];" : "=f"(f) : "l"(x + 64 + t));
  o[t] = s[t ^ 1]; o[64 + t] = f; o[128 + t] = s[128 + (t ^ 2)] + l[t & 1];
  if (t < 32) o[192 + t] = s[64 + (t ^ 3)];
  asm volatile("mov.u32 %0,%%pm0;" : "=r"(r)); pm[t] = r;
  asm volatile("mov.u64 %0,%%pm7_64;" : "=l"(policy)); pm[64 + t] = (u32)policy;
}
#define SIMD(i, text) asm(text " %0,%1,%2,%3;" : "=r"(r) : "r"(a[t]), "r"(b[t]), "r"(c[t])); o[t * 16 + i] = r;
extern "C" __global__ void simd_video(const u32* a, const u32* b, const u32* c, u32* o) {
  int t = threadIdx.x;
  u32 r;
  SIMD(0, "vadd2.s32.s32.s32.sat") SIMD(1, "vadd4.u32.u32.u32.sat") SIMD(2, "vsub2.s32.u32.u32.sat") SIMD(3, "vsub4.s32.s32.s32")
  SIMD(4, "vavrg2.s32.s32.s32") SIMD(5, "vavrg4.u32.u32.u32") SIMD(6, "vabsdiff2.u32.s32.s32") SIMD(7, "vabsdiff4.u32.u32.u32.add")
  SIMD(8, "vmin2.s32.s32.s32") SIMD(9, "vmax4.u32.u32.u32") SIMD(10, "vmax2.s32.s32.s32.add") SIMD(11, "vset2.s32.s32.lt.add")
  SIMD(12, "vset4.u32.u32.ge") SIMD(13, "vset4.s32.s32.ne.add") SIMD(14, "vadd4.s32.s32.s32.add") SIMD(15, "vmin4.s32.s32.s32")
}
