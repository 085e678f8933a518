// SPDX-License-Identifier: Apache-2.0
// Arithmetic pipes. Every thread runs N steps on each of ILP registers, `reps` times; out[0] is the
// last repetition's time in SM cycles, without the cold instruction fetches of the first. A step
// reads what the previous step on its register wrote: ILP = 1 measures latency, more measures rate.
#define FMA_(x) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b));
#define LOP_(u) asm volatile("lop3.b32 %0, %0, %1, %2, 0x6a;" : "+r"(u) : "r"(p), "r"(q));
#define ADD_(u) asm volatile("sub.s32 %0, %1, %0;" : "+r"(u) : "r"(p));
#define SHF_(u) asm volatile("shf.l.wrap.b32 %0, %0, %1, %2;" : "+r"(u) : "r"(p), "r"(q));
#define PRMT_(u) asm volatile("prmt.b32 %0, %0, %1, %2;" : "+r"(u) : "r"(p), "r"(q));
#define FFMA FMA_(f[i])
#define FADD asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(f[i]) : "f"(a));
#define FMUL asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(f[i]) : "f"(a));
#define FP32_EACH FFMA FADD FMUL
#define LOP3 LOP_(u[i])
#define IADD ADD_(u[i])
#define ALU_EACH ADD_(u[i]) LOP_(u[i]) SHF_(u[i]) PRMT_(u[i])
#define IMAD asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(u[i]) : "r"(p), "r"(q));
// For sm_80 the compiler writes f16x2 as HFMA2.MMA and HFMA2 in turn, bf16x2 as HFMA2 alone.
#define HFMA2 asm volatile("fma.rn.bf16x2 %0, %0, %1, %2;" : "+r"(u[i]) : "r"(p), "r"(q));
#define DFMA asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(d[i]) : "d"(da), "d"(db));
#define DADD asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(d[i]) : "d"(da));
#define EX2 asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(f[i]));
#define LG2 asm volatile("lg2.approx.ftz.f32 %0, %0;" : "+f"(f[i]));
#define RSQ asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(f[i]));
#define MUFU_EACH EX2 LG2 RSQ
#define POPC asm volatile("popc.b32 %0, %0;" : "+r"(u[i]));
#define FLO asm volatile("bfind.u32 %0, %0;" : "+r"(u[i]));
#define BREV asm volatile("brev.b32 %0, %0;" : "+r"(u[i]));
#define SHFL asm volatile("shfl.sync.bfly.b32 %0, %0, %1, 31, -1;" : "+r"(u[i]) : "r"(p));

extern "C" __global__ void
pipes(long long* out, unsigned* sink, int reps, float a, float b, int p, int q, double da, double db) {
  float f[ILP];
  unsigned u[ILP];
  double d[ILP];
#pragma unroll
  for (int i = 0; i < ILP; ++i) {
    f[i] = a + threadIdx.x + i;
    u[i] = p + threadIdx.x + i;
    d[i] = da + threadIdx.x + i;
  }
  long long window = 0;
#pragma unroll 1
  for (int rep = 0; rep < reps; ++rep) {
    const long long start = clock64();
#pragma unroll
    for (int n = 0; n < N; ++n) {
#pragma unroll
      for (int i = 0; i < ILP; ++i) {
        STEP
      }
    }
    window = clock64() - start;
  }
  unsigned sum = 0;
#pragma unroll
  for (int i = 0; i < ILP; ++i) {
    sum += __float_as_uint(f[i]) + u[i] + static_cast<unsigned>(__double_as_longlong(d[i]));
  }
  sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    out[0] = window;
  }
}
