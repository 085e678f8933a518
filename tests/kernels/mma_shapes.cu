// SPDX-License-Identifier: Apache-2.0
// One kernel for each shape and type of mma.sync. Registers of lane t: A at a[4 t], B at b[2 t], the
// accumulator at c[4 t]; the result goes to d[4 t].
typedef unsigned u32;

#define SHAPE_F32_42(name, text)                                                                   \
  extern "C" __global__ void name(const u32* a, const u32* b, const float* c, float* d) {          \
    int t = threadIdx.x * 4, u = threadIdx.x * 2;                                                  \
    float x = c[t], y = c[t + 1], z = c[t + 2], w = c[t + 3];                                      \
    asm volatile("mma.sync.aligned." text                                                          \
                 " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"                             \
                 : "+f"(x), "+f"(y), "+f"(z), "+f"(w)                                              \
                 : "r"(a[t]), "r"(a[t + 1]), "r"(a[t + 2]), "r"(a[t + 3]), "r"(b[u]), "r"(b[u + 1])); \
    d[t] = x; d[t + 1] = y; d[t + 2] = z; d[t + 3] = w;                                            \
  }
#define SHAPE_F32_21(name, text)                                                                   \
  extern "C" __global__ void name(const u32* a, const u32* b, const float* c, float* d) {          \
    int t = threadIdx.x * 4, u = threadIdx.x * 2;                                                  \
    float x = c[t], y = c[t + 1], z = c[t + 2], w = c[t + 3];                                      \
    asm volatile("mma.sync.aligned." text " {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"             \
                 : "+f"(x), "+f"(y), "+f"(z), "+f"(w)                                              \
                 : "r"(a[t]), "r"(a[t + 1]), "r"(b[u]));                                           \
    d[t] = x; d[t + 1] = y; d[t + 2] = z; d[t + 3] = w;                                            \
  }
#define SHAPE_S32_42(name, text)                                                                   \
  extern "C" __global__ void name(const u32* a, const u32* b, const int* c, int* d) {              \
    int t = threadIdx.x * 4, u = threadIdx.x * 2;                                                  \
    int x = c[t], y = c[t + 1], z = c[t + 2], w = c[t + 3];                                        \
    asm volatile("mma.sync.aligned." text                                                          \
                 " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"                             \
                 : "+r"(x), "+r"(y), "+r"(z), "+r"(w)                                              \
                 : "r"(a[t]), "r"(a[t + 1]), "r"(a[t + 2]), "r"(a[t + 3]), "r"(b[u]), "r"(b[u + 1])); \
    d[t] = x; d[t + 1] = y; d[t + 2] = z; d[t + 3] = w;                                            \
  }
#define SHAPE_S32_21(name, text)                                                                   \
  extern "C" __global__ void name(const u32* a, const u32* b, const int* c, int* d) {              \
    int t = threadIdx.x * 4, u = threadIdx.x * 2;                                                  \
    int x = c[t], y = c[t + 1], z = c[t + 2], w = c[t + 3];                                        \
    asm volatile("mma.sync.aligned." text " {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"             \
                 : "+r"(x), "+r"(y), "+r"(z), "+r"(w)                                              \
                 : "r"(a[t]), "r"(a[t + 1]), "r"(b[u]));                                           \
    d[t] = x; d[t + 1] = y; d[t + 2] = z; d[t + 3] = w;                                            \
  }
#define SHAPE_S32_11(name, text)                                                                   \
  extern "C" __global__ void name(const u32* a, const u32* b, const int* c, int* d) {              \
    int t = threadIdx.x * 4, u = threadIdx.x * 2;                                                  \
    int x = c[t], y = c[t + 1];                                                                    \
    asm volatile("mma.sync.aligned." text " {%0,%1},{%2},{%3},{%0,%1};"                            \
                 : "+r"(x), "+r"(y)                                                                \
                 : "r"(a[t]), "r"(b[u]));                                                          \
    d[t] = x; d[t + 1] = y;                                                                        \
  }

SHAPE_F32_42(mma_f16_16816_f32, "m16n8k16.row.col.f32.f16.f16.f32")
SHAPE_F32_21(mma_f16_1688_f32, "m16n8k8.row.col.f32.f16.f16.f32")
SHAPE_F32_42(mma_bf16_16816_f32, "m16n8k16.row.col.f32.bf16.bf16.f32")
SHAPE_F32_21(mma_bf16_1688_f32, "m16n8k8.row.col.f32.bf16.bf16.f32")
SHAPE_F32_42(mma_tf32_1688_f32, "m16n8k8.row.col.f32.tf32.tf32.f32")
SHAPE_F32_21(mma_tf32_1684_f32, "m16n8k4.row.col.f32.tf32.tf32.f32")
SHAPE_S32_42(mma_s8_16832, "m16n8k32.row.col.s32.s8.s8.s32")
SHAPE_S32_42(mma_u8s8_16832, "m16n8k32.row.col.s32.u8.s8.s32")
SHAPE_S32_42(mma_s8u8_16832_sat, "m16n8k32.row.col.satfinite.s32.s8.u8.s32")
SHAPE_S32_42(mma_u8_16832, "m16n8k32.row.col.s32.u8.u8.s32")
SHAPE_S32_21(mma_s8_16816, "m16n8k16.row.col.s32.s8.s8.s32")
SHAPE_S32_21(mma_u8_16816_sat, "m16n8k16.row.col.satfinite.s32.u8.u8.s32")
SHAPE_S32_42(mma_s4_16864, "m16n8k64.row.col.s32.s4.s4.s32")
SHAPE_S32_42(mma_u4s4_16864, "m16n8k64.row.col.s32.u4.s4.s32")
SHAPE_S32_42(mma_u4_16864_sat, "m16n8k64.row.col.satfinite.s32.u4.u4.s32")
SHAPE_S32_21(mma_s4u4_16832, "m16n8k32.row.col.s32.s4.u4.s32")
SHAPE_S32_11(mma_s8_8816, "m8n8k16.row.col.s32.s8.s8.s32")
SHAPE_S32_11(mma_u4s4_8832, "m8n8k32.row.col.s32.u4.s4.s32")
SHAPE_S32_42(mma_b1_168256_xor, "m16n8k256.row.col.s32.b1.b1.s32.xor.popc")
SHAPE_S32_42(mma_b1_168256_and, "m16n8k256.row.col.s32.b1.b1.s32.and.popc")
SHAPE_S32_21(mma_b1_168128_xor, "m16n8k128.row.col.s32.b1.b1.s32.xor.popc")
SHAPE_S32_21(mma_b1_168128_and, "m16n8k128.row.col.s32.b1.b1.s32.and.popc")
SHAPE_S32_11(mma_b1_88128_xor, "m8n8k128.row.col.s32.b1.b1.s32.xor.popc")

extern "C" __global__ void mma_f16_16816_f16(const u32* a, const u32* b, const u32* c, u32* d) {
  int t = threadIdx.x * 4, u = threadIdx.x * 2;
  u32 x = c[u], y = c[u + 1];
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};"
               : "+r"(x), "+r"(y)
               : "r"(a[t]), "r"(a[t + 1]), "r"(a[t + 2]), "r"(a[t + 3]), "r"(b[u]), "r"(b[u + 1]));
  d[u] = x; d[u + 1] = y;
}
extern "C" __global__ void mma_f16_1688_f16(const u32* a, const u32* b, const u32* c, u32* d) {
  int t = threadIdx.x * 4, u = threadIdx.x * 2;
  u32 x = c[u], y = c[u + 1];
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3},{%4},{%0,%1};"
               : "+r"(x), "+r"(y)
               : "r"(a[t]), "r"(a[t + 1]), "r"(b[u]));
  d[u] = x; d[u + 1] = y;
}
extern "C" __global__ void mma_f64_884(const double* a, const double* b, const double* c, double* d) {
  int t = threadIdx.x, u = threadIdx.x * 2;
  double x = c[u], y = c[u + 1];
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};"
               : "+d"(x), "+d"(y)
               : "d"(a[t]), "d"(b[t]));
  d[u] = x; d[u + 1] = y;
}
