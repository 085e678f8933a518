// SPDX-License-Identifier: Apache-2.0
// barriers, votes, match, spinlocks, fences, special registers
typedef unsigned u32; typedef unsigned long long u64;
extern "C" __global__ void votes(const int* x, u32* o, u32 mask) {
  int v = x[threadIdx.x]; u32 r = __activemask(); if (__any_sync(~0u, v > 3)) r += 7; if (__all_sync(~0u, v > -3)) r ^= 11; r += __ballot_sync(~0u, v & 1); r ^= __ballot_sync(mask, v > 8); r += __match_any_sync(~0u, v); int p; r ^= __match_all_sync(~0u, v, &p); r += p; r += __match_any_sync(~0u, (u64)v * 3); r ^= __match_all_sync(mask, (u64)v, &p); r += p;
  o[threadIdx.x] = r;
}
extern "C" __global__ void vote_branches(const int* x, u32* o) { int v = x[threadIdx.x]; u32 s = 0; if (v & 1) { s = __activemask(); if (v & 2) { s += __popc(__activemask()); __syncwarp(__activemask()); } else s ^= 5; } else { s = 100 - __ballot_sync(__activemask(), v > 5); } __syncwarp(); o[threadIdx.x] = s; }
extern "C" __global__ void syncs(int* x) { int v = x[threadIdx.x]; int c = __syncthreads_count(v > 3), a = __syncthreads_and(v), b = __syncthreads_or(v & 4); x[threadIdx.x] = c + a * 2 + b; }
extern "C" __global__ void named_bars(float* g, int n) {
  __shared__ float b[2][128]; int t = threadIdx.x;
  if (t < 128) { for (int i = 0; i < n; i++) { asm volatile("bar.sync %0, 256;" ::"r"(1 + (i & 1)) : "memory"); b[i & 1][t] = g[i * 128 + t]; asm volatile("bar.arrive %0, 256;" ::"r"(3 + (i & 1)) : "memory"); } }
  else { float s = 0; asm volatile("bar.arrive 1, 256;" ::: "memory"); asm volatile("bar.arrive 2, 256;" ::: "memory"); for (int i = 0; i < n; i++) { asm volatile("bar.sync %0, 256;" ::"r"(3 + (i & 1)) : "memory"); s += b[i & 1][t - 128]; if (i + 2 < n) asm volatile("bar.arrive %0, 256;" ::"r"(1 + (i & 1)) : "memory"); } g[t] = s; }
  asm volatile("barrier.sync 5, 64;" ::: "memory"); asm volatile("bar.sync 6;" ::: "memory"); asm volatile("barrier.sync %0, %1;" ::"r"(n & 7), "r"(n * 32) : "memory");
  int q; asm volatile("{.reg .pred p,q; setp.gt.s32 p,%1,3; bar.red.and.pred q,7,p; selp.s32 %0,1,0,q;}" : "=r"(q) : "r"(n)); asm volatile("{.reg .pred p; setp.gt.s32 p,%1,0; bar.red.popc.u32 %0,8,64,p; bar.red.or.pred p,9,128,!p; @p trap;}" : "=r"(n) : "r"(q)); g[t + 999] = q + n;
}
extern "C" __global__ void spinlock(int* lock, volatile int* data, int n) {
  for (int i = 0; i < n; i++) { bool done = false; while (!done) { if (atomicCAS(lock, 0, 1) == 0) { __threadfence(); *data = *data + threadIdx.x; __threadfence(); atomicExch(lock, 0); done = true; } else __nanosleep(64); } }
}
extern "C" __global__ void fences(volatile int* a, int* b, u32 ns) { a[0] = 1; __threadfence_block(); a[1] = 2; __threadfence(); a[2] = 3; __threadfence_system(); b[3] = a[4]; __nanosleep(ns); __nanosleep(100); int v; asm volatile("ld.acquire.gpu.global.s32 %0,[%1];" : "=r"(v) : "l"(b)); asm volatile("st.release.gpu.global.s32 [%0],%1;" ::"l"(b + 1), "r"(v)); asm volatile("ld.relaxed.sys.global.s32 %0,[%1];" : "=r"(v) : "l"(b + 2)); asm volatile("st.relaxed.cta.global.s32 [%0],%1;" ::"l"(b + 1), "r"(v)); asm volatile("fence.acq_rel.gpu;"); asm volatile("fence.sc.sys;"); asm volatile("membar.cta;"); asm volatile("discard.global.L2 [%0],128;" ::"l"(b + 64)); }
extern "C" __global__ void cachehints(const int* a, int* b, const int4* q, int4* w) {
  int t = threadIdx.x; int v = __ldcg(a + t) + __ldca(a + t + 32) + __ldcs(a + t + 64) + __ldlu(a + t + 96) + __ldcv(a + t + 128) + __ldg(a + t + 160); __stcg(b + t, v); __stcs(b + t + 32, v); __stwb(b + t + 64, v); __stwt(b + t + 96, v); int4 x = __ldcg(q + t); __stcs(w + t, x);
  asm volatile("prefetch.global.L2 [%0];" ::"l"(a + 999)); asm volatile("prefetch.global.L1 [%0];" ::"l"(a + 9999)); asm volatile("ld.global.L1::no_allocate.L2::128B.s32 %0,[%1];" : "=r"(v) : "l"(a + t + 1)); b[t + 128] = v; asm volatile("ld.global.L1::evict_last.s32 %0,[%1];" : "=r"(v) : "l"(a + t + 2)); b[t + 160] = v; asm volatile("ld.global.L1::evict_first.L2::256B.s32 %0,[%1];" : "=r"(v) : "l"(a + t + 3)); b[t + 192] = v;
  u64 pol; asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 0.5;" : "=l"(pol)); asm volatile("ld.global.L2::cache_hint.s32 %0,[%1],%2;" : "=r"(v) : "l"(a + t + 4), "l"(pol)); b[t + 224] = v; asm volatile("st.global.L1::no_allocate.s32 [%0],%1;" ::"l"(b + t + 256), "r"(v));
}
extern "C" __global__ void sregs(u64* o) {
  u32 r[32]; u64 c; int k = 0;
#define SR(n) asm volatile("mov.u32 %0, %%" n ";" : "=r"(r[k])); o[threadIdx.x * 64 + k] = r[k]; k++;
  SR("tid.x") SR("tid.y") SR("tid.z") SR("ctaid.x") SR("ctaid.y") SR("ctaid.z") SR("ntid.x") SR("ntid.y") SR("ntid.z") SR("nctaid.x") SR("nctaid.y") SR("nctaid.z") SR("laneid") SR("warpid") SR("nwarpid") SR("smid") SR("nsmid") SR("lanemask_eq") SR("lanemask_lt") SR("lanemask_le") SR("lanemask_gt") SR("lanemask_ge") SR("clock") SR("clock_hi") SR("total_smem_size") SR("dynamic_smem_size") SR("globaltimer_lo")
  asm volatile("mov.u64 %0,%%clock64;" : "=l"(c)); o[threadIdx.x + 99] = c; asm volatile("mov.u64 %0,%%globaltimer;" : "=l"(c)); o[threadIdx.x + 199] = c; asm volatile("mov.u64 %0,%%gridid;" : "=l"(c)); o[threadIdx.x + 299] = c;
}
extern "C" __global__ void generic_ptr(int* g, int sel, int n) {
  __shared__ int s[64]; int l[8]; s[threadIdx.x & 63] = n; for (int i = 0; i < 8; i++) l[i] = g[i]; __syncthreads(); int* p = sel == 0 ? g : sel == 1 ? s : l; p[n & 7] = 3; atomicAdd(sel ? s : g, 1); p[1] += p[n & 3]; *(volatile short*)(p + 2) = 7; double d = *(double*)(p + 4); g[threadIdx.x] = s[n] + l[n & 7] + __isShared(p) + __isLocal(p) + __isGlobal(p) + (int)d; unsigned q = atomicCAS((unsigned*)p, 1u, 2u) + atomicExch(p + 1, 4); g[99] = q;
}
extern "C" __global__ void trap_assert(int* x, int n) { if (x[threadIdx.x] < 0) __trap(); if (n == 77) asm volatile("exit;"); if (x[n] == 5) asm volatile("brkpt;"); x[threadIdx.x] = n; }
extern "C" __global__ void grid_sync_like(u32* bar, int* d, u32 expected) { d[blockIdx.x * blockDim.x + threadIdx.x] += 1; __syncthreads(); if (threadIdx.x == 0) { __threadfence(); atomicAdd(bar, 1); while (*(volatile u32*)bar < expected) ; __threadfence(); } __syncthreads(); d[blockIdx.x * blockDim.x + threadIdx.x] += d[0]; }
extern "C" __global__ void warp_agg(int* ctr, const int* x, int* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n && x[i] > 0) { u32 m = __activemask(), lane; asm("mov.u32 %0,%%laneid;" : "=r"(lane)); int leader = __ffs(m) - 1, b = 0; if ((int)lane == leader) b = atomicAdd(ctr, __popc(m)); b = __shfl_sync(m, b, leader); out[b + __popc(m & ((1u << lane) - 1))] = x[i]; } }
extern "C" __global__ void nested(const int* x, int* o, int n, int m) {
  int t = threadIdx.x, s = 0;
  for (int i = 0; i < n; i++) { int v = x[i * 32 + t]; if (v < 0) continue; for (int j = 0; j < v; j++) { if (j == m) goto out; if ((j ^ t) & 1) { s += j; if (s > 1000) break; } else { int k = v; do { k = k & 1 ? 3 * k + 1 : k / 2; s++; } while (k > 1 && s < 50000); } } if (s & 256) return; }
out: o[t] = s;
}
