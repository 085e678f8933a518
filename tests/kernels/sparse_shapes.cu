// SPDX-License-Identifier: Apache-2.0
// One kernel for each shape, type and selector of mma.sp. Registers of lane t: A at a[4 t], B at
// b[4 t], the accumulator at c[4 t], the metadata at e[t]; the result goes to d[4 t].
typedef unsigned u32;

#define SPARSE(name, T, C, text, na, nb, sel)                                                      \
  extern "C" __global__ void name(const u32* a, const u32* b, const T* c, const u32* e, T* d) {    \
    int t = threadIdx.x * 4;                                                                       \
    T x = c[t], y = c[t + 1], z = c[t + 2], w = c[t + 3];                                          \
    asm volatile("mma.sp.sync.aligned." text " {%0,%1,%2,%3},{" na "},{" nb "},{%0,%1,%2,%3},%12," sel ";" \
                 : "+" C(x), "+" C(y), "+" C(z), "+" C(w)                                          \
                 : "r"(a[t]), "r"(a[t + 1]), "r"(a[t + 2]), "r"(a[t + 3]), "r"(b[t]), "r"(b[t + 1]), \
                   "r"(b[t + 2]), "r"(b[t + 3]), "r"(e[threadIdx.x]));                             \
    d[t] = x; d[t + 1] = y; d[t + 2] = z; d[t + 3] = w;                                            \
  }
#define SPARSE_F16(name, text, na, nb, sel)                                                        \
  extern "C" __global__ void name(const u32* a, const u32* b, const u32* c, const u32* e, u32* d) { \
    int t = threadIdx.x * 4;                                                                       \
    u32 x = c[t], y = c[t + 1];                                                                    \
    asm volatile("mma.sp.sync.aligned." text " {%0,%1},{" na "},{" nb "},{%0,%1},%10," sel ";"     \
                 : "+r"(x), "+r"(y)                                                                \
                 : "r"(a[t]), "r"(a[t + 1]), "r"(a[t + 2]), "r"(a[t + 3]), "r"(b[t]), "r"(b[t + 1]), \
                   "r"(b[t + 2]), "r"(b[t + 3]), "r"(e[threadIdx.x]));                             \
    d[t] = x; d[t + 1] = y;                                                                        \
  }
#define F32(name, text, sel) SPARSE(name, float, "f", text, "%4,%5", "%8,%9", sel)
#define F32_4(name, text, sel) SPARSE(name, float, "f", text, "%4,%5,%6,%7", "%8,%9,%10,%11", sel)
#define S32(name, text, sel) SPARSE(name, int, "r", text, "%4,%5", "%8,%9", sel)
#define S32_4(name, text, sel) SPARSE(name, int, "r", text, "%4,%5,%6,%7", "%8,%9,%10,%11", sel)
#define F16(name, text, sel) SPARSE_F16(name, text, "%2,%3", "%6,%7", sel)
#define F16_4(name, text, sel) SPARSE_F16(name, text, "%2,%3,%4,%5", "%6,%7,%8,%9", sel)

F32(sp_f16_16816_0, "m16n8k16.row.col.f32.f16.f16.f32", "0")
F32(sp_f16_16816_1, "m16n8k16.row.col.f32.f16.f16.f32", "1")
F32(sp_f16_16816_2, "m16n8k16.row.col.f32.f16.f16.f32", "2")
F32(sp_f16_16816_3, "m16n8k16.row.col.f32.f16.f16.f32", "3")
F32_4(sp_f16_16832_0, "m16n8k32.row.col.f32.f16.f16.f32", "0")
F32_4(sp_f16_16832_1, "m16n8k32.row.col.f32.f16.f16.f32", "1")
F32(sp_bf16_16816_0, "m16n8k16.row.col.f32.bf16.bf16.f32", "0")
F32(sp_bf16_16816_1, "m16n8k16.row.col.f32.bf16.bf16.f32", "1")
F32(sp_bf16_16816_2, "m16n8k16.row.col.f32.bf16.bf16.f32", "2")
F32(sp_bf16_16816_3, "m16n8k16.row.col.f32.bf16.bf16.f32", "3")
F32_4(sp_bf16_16832_0, "m16n8k32.row.col.f32.bf16.bf16.f32", "0")
F32_4(sp_bf16_16832_1, "m16n8k32.row.col.f32.bf16.bf16.f32", "1")
F16(sp_f16_16816_f16_2, "m16n8k16.row.col.f16.f16.f16.f16", "2")
F16_4(sp_f16_16832_f16_1, "m16n8k32.row.col.f16.f16.f16.f16", "1")
F32(sp_tf32_1688_0, "m16n8k8.row.col.f32.tf32.tf32.f32", "0")
F32(sp_tf32_1688_1, "m16n8k8.row.col.f32.tf32.tf32.f32", "1")
F32(sp_tf32_1688_2, "m16n8k8.row.col.f32.tf32.tf32.f32", "2")
F32(sp_tf32_1688_3, "m16n8k8.row.col.f32.tf32.tf32.f32", "3")
F32_4(sp_tf32_16816_0, "m16n8k16.row.col.f32.tf32.tf32.f32", "0")
F32_4(sp_tf32_16816_1, "m16n8k16.row.col.f32.tf32.tf32.f32", "1")
S32(sp_s8s8_16832_0, "m16n8k32.row.col.s32.s8.s8.s32", "0")
S32(sp_s8s8_16832_1, "m16n8k32.row.col.s32.s8.s8.s32", "1")
S32_4(sp_s8s8_16864_0, "m16n8k64.row.col.s32.s8.s8.s32", "0")
S32(sp_u8s8_16832_0, "m16n8k32.row.col.satfinite.s32.u8.s8.s32", "0")
S32(sp_u8s8_16832_1, "m16n8k32.row.col.satfinite.s32.u8.s8.s32", "1")
S32_4(sp_u8s8_16864_0, "m16n8k64.row.col.satfinite.s32.u8.s8.s32", "0")
S32(sp_s8u8_16832_0, "m16n8k32.row.col.s32.s8.u8.s32", "0")
S32(sp_s8u8_16832_1, "m16n8k32.row.col.s32.s8.u8.s32", "1")
S32_4(sp_s8u8_16864_0, "m16n8k64.row.col.s32.s8.u8.s32", "0")
S32(sp_u8u8_16832_0, "m16n8k32.row.col.s32.u8.u8.s32", "0")
S32(sp_u8u8_16832_1, "m16n8k32.row.col.s32.u8.u8.s32", "1")
S32_4(sp_u8u8_16864_0, "m16n8k64.row.col.s32.u8.u8.s32", "0")
S32(sp_s4s4_16864_0, "m16n8k64.row.col.s32.s4.s4.s32", "0")
S32(sp_s4s4_16864_1, "m16n8k64.row.col.s32.s4.s4.s32", "1")
S32_4(sp_s4s4_168128_0, "m16n8k128.row.col.s32.s4.s4.s32", "0")
S32(sp_u4s4_16864_0, "m16n8k64.row.col.s32.u4.s4.s32", "0")
S32(sp_u4s4_16864_1, "m16n8k64.row.col.s32.u4.s4.s32", "1")
S32_4(sp_u4s4_168128_0, "m16n8k128.row.col.s32.u4.s4.s32", "0")
S32(sp_s4u4_16864_0, "m16n8k64.row.col.satfinite.s32.s4.u4.s32", "0")
S32(sp_s4u4_16864_1, "m16n8k64.row.col.satfinite.s32.s4.u4.s32", "1")
S32_4(sp_s4u4_168128_0, "m16n8k128.row.col.satfinite.s32.s4.u4.s32", "0")
S32(sp_u4u4_16864_0, "m16n8k64.row.col.s32.u4.u4.s32", "0")
S32(sp_u4u4_16864_1, "m16n8k64.row.col.s32.u4.u4.s32", "1")
S32_4(sp_u4u4_168128_0, "m16n8k128.row.col.s32.u4.u4.s32", "0")
