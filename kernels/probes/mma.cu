// SPDX-License-Identifier: Apache-2.0
// Tensor cores: N matrix multiplications on each of ILP accumulators, `reps` times; out[0] is the
// last repetition's time in SM cycles. ILP = 1 is the accumulator chain.
#define FLOATS_ "+f"(f[i][0]), "+f"(f[i][1]), "+f"(f[i][2]), "+f"(f[i][3])
#define WORDS_ "+r"(u[i][0]), "+r"(u[i][1]), "+r"(u[i][2]), "+r"(u[i][3])
#define F32_16816                                                                                  \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "   \
               "{%8,%9}, {%0,%1,%2,%3};"                                                           \
               : FLOATS_                                                                           \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#define F16_16816                                                                                  \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, "         \
               "{%6,%7}, {%0,%1};"                                                                 \
               : "+r"(u[i][0]), "+r"(u[i][1])                                                      \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#define TF32_1684                                                                                  \
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "  \
               "{%0,%1,%2,%3};"                                                                    \
               : FLOATS_                                                                           \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#define F64_884                                                                                    \
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"      \
               : "+d"(d[i][0]), "+d"(d[i][1])                                                      \
               : "d"(da), "d"(db));
#define S8_16832                                                                                   \
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "     \
               "{%8,%9}, {%0,%1,%2,%3};"                                                           \
               : WORDS_                                                                            \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#define SPARSE_16832                                                                               \
  asm volatile("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, "               \
               "{%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0x0;"                          \
               : FLOATS_                                                                           \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]),      \
                 "r"(b[3]), "r"(0x44444444));
#define SPARSE_16816                                                                               \
  asm volatile("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, "      \
               "{%6,%7}, {%0,%1,%2,%3}, %8, 0x0;"                                                  \
               : FLOATS_                                                                           \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(0x44444444));

extern "C" __global__ void
mma(long long* out, unsigned* sink, int reps, unsigned p, double da, double db) {
  float f[ILP][4] = {};
  unsigned u[ILP][4] = {};
  double d[ILP][2] = {};
  const unsigned a[4] = {p, p + 1, p + 2, p + 3};
  const unsigned b[4] = {p + 4, p + 5, p + 6, p + 7};
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
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      sum += __float_as_uint(f[i][k]) + u[i][k] +
             static_cast<unsigned>(__double_as_longlong(d[i][k % 2]));
    }
  }
  sink[threadIdx.x] = sum;
  if (threadIdx.x == 0) {
    out[0] = window;
  }
}
