// SPDX-License-Identifier: Apache-2.0
// PTX instructions that CUDA C++ hardly reaches, one after the other
typedef unsigned u32; typedef unsigned short u16; typedef unsigned long long u64;
#define OP(i, text) asm volatile(text : "=r"(r) : "r"(a[t]), "r"(b[t]), "r"(c[t])); o[t * 40 + i] = r;
extern "C" __global__ void ptx_integer(const u32* a, const u32* b, const u32* c, u32* o) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  u32 r;
  OP(0, "bfind.u32 %0,%1;")
  OP(1, "bfind.s32 %0,%1;")
  OP(2, "bfind.shiftamt.u32 %0,%1;")
  OP(3, "bfind.shiftamt.s32 %0,%1;")
  OP(4, "bfe.u32 %0,%1,%2,%3;")
  OP(5, "bfe.s32 %0,%1,%2,%3;")
  OP(6, "bfi.b32 %0,%1,%2,%3,%1;")
  OP(7, "szext.clamp.s32 %0,%1,%2;")
  OP(8, "szext.wrap.u32 %0,%1,%2;")
  OP(9, "bmsk.clamp.b32 %0,%2,%3;")
  OP(10, "bmsk.wrap.b32 %0,%2,%3;")
  OP(11, "prmt.b32 %0,%1,%2,%3;")
  OP(12, "prmt.b32.f4e %0,%1,%2,%3;")
  OP(13, "prmt.b32.b4e %0,%1,%2,%3;")
  OP(14, "prmt.b32.rc8 %0,%1,%2,%3;")
  OP(15, "prmt.b32.ecl %0,%1,%2,%3;")
  OP(16, "prmt.b32.ecr %0,%1,%2,%3;")
  OP(17, "prmt.b32.rc16 %0,%1,%2,%3;")
  OP(18, "shf.l.clamp.b32 %0,%1,%2,%3;")
  OP(19, "shf.l.wrap.b32 %0,%1,%2,%3;")
  OP(20, "shf.r.clamp.b32 %0,%1,%2,%3;")
  OP(21, "shf.r.wrap.b32 %0,%1,%2,%3;")
  OP(22, "dp4a.u32.s32 %0,%1,%2,%3;")
  OP(23, "dp4a.s32.u32 %0,%1,%2,%3;")
  OP(24, "dp2a.lo.s32.u32 %0,%1,%2,%3;")
  OP(25, "dp2a.hi.u32.s32 %0,%1,%2,%3;")
  OP(26, "mul24.hi.u32 %0,%1,%2;")
  OP(27, "mad24.lo.s32 %0,%1,%2,%3;")
  OP(28, "mul.hi.s32 %0,%1,%2;")
  OP(29, "sad.s32 %0,%1,%2,%3;")
  OP(30, "cnot.b32 %0,%3;")
  OP(31, "{.reg .u32 x,y; add.cc.u32 x,%1,%2; addc.cc.u32 y,%2,%3; addc.u32 y,y,%1; xor.b32 %0,x,y;}")
  OP(32, "{.reg .u32 x,y; sub.cc.u32 x,%1,%2; subc.cc.u32 y,%2,%3; subc.u32 y,y,%1; xor.b32 %0,x,y;}")
  OP(33, "{.reg .u32 x,y; mad.lo.cc.u32 x,%1,%2,%3; madc.hi.u32 y,%1,%2,%3; xor.b32 %0,x,y;}")
  OP(34, "{.reg .s16 z; cvt.sat.s16.s32 z,%1; cvt.s32.s16 %0,z;}")
  OP(35, "{.reg .u16 z; cvt.sat.u16.s32 z,%1; cvt.u32.u16 %0,z;}")
  OP(36, "{.reg .u16 z; cvt.sat.u16.u32 z,%1; cvt.u32.u16 %0,z;}")
  OP(37, "cvt.sat.u32.s32 %0,%1;")
  OP(38, "cvt.sat.s32.u32 %0,%1;")
  OP(39, "lop3.b32 %0,%1,%2,%3,0x6a;")
}
#define COMPARE(i, cmp)                                                                            \
  asm volatile("set." cmp ".u32.f32 %0,%1,%2;" : "=r"(r) : "f"(a[t]), "f"(b[t])); o[t * 40 + i] = r;   \
  asm volatile("{.reg .pred p; setp." cmp ".f16 p,%1,%2; selp.u32 %0,1,0,p;}" : "=r"(r) : "h"(x[t]), "h"(y[t])); o[t * 40 + 14 + i] = r;
#define TEST(i, what) asm volatile("{.reg .pred p; testp." what ".f32 p,%1; selp.u32 %0,1,0,p;}" : "=r"(r) : "f"(a[t])); o[t * 40 + i] = r;
extern "C" __global__ void ptx_compare(const float* a, const float* b, const u16* x, const u16* y, u32* o) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  u32 r; float f;
  COMPARE(0, "eq")
  COMPARE(1, "ne")
  COMPARE(2, "lt")
  COMPARE(3, "le")
  COMPARE(4, "gt")
  COMPARE(5, "ge")
  COMPARE(6, "equ")
  COMPARE(7, "neu")
  COMPARE(8, "ltu")
  COMPARE(9, "leu")
  COMPARE(10, "gtu")
  COMPARE(11, "geu")
  COMPARE(12, "num")
  COMPARE(13, "nan")
  TEST(28, "finite")
  TEST(29, "infinite")
  TEST(30, "number")
  TEST(31, "notanumber")
  TEST(32, "normal")
  TEST(33, "subnormal")
  asm volatile("copysign.f32 %0,%1,%2;" : "=f"(f) : "f"(a[t]), "f"(b[t])); o[t * 40 + 34] = __float_as_uint(f);
  asm volatile("set.lt.ftz.u32.f32 %0,%1,%2;" : "=r"(r) : "f"(a[t]), "f"(b[t])); o[t * 40 + 35] = r;
  asm volatile("slct.f32.f32 %0,%1,%2,%2;" : "=f"(f) : "f"(a[t]), "f"(b[t])); o[t * 40 + 36] = __float_as_uint(f);
  asm volatile("slct.ftz.f32.f32 %0,%1,%2,%2;" : "=f"(f) : "f"(a[t]), "f"(b[t])); o[t * 40 + 37] = __float_as_uint(f);
  asm volatile("{.reg .pred p,q,s; setp.gt.f32 s,%2,%1; setp.lt.xor.f32 p|q,%1,%2,!s; selp.u32 %0,1,0,p; @q add.u32 %0,%0,2;}" : "=r"(r) : "f"(a[t]), "f"(b[t])); o[t * 40 + 38] = r;
  asm volatile("cvt.rna.tf32.f32 %0,%1;" : "=r"(r) : "f"(a[t])); o[t * 40 + 39] = r;
}
#define ROUND(i, mode)                                                                             \
  asm volatile("{.reg .u8 z; cvt." mode ".u8.f32 z,%1; cvt.u64.u8 %0,z;}" : "=l"(r) : "f"(a[t])); o[t * 32 + i] = r;  \
  asm volatile("{.reg .s8 z; cvt." mode ".s8.f32 z,%1; cvt.s64.s8 %0,z;}" : "=l"(r) : "f"(a[t])); o[t * 32 + 4 + i] = r;  \
  asm volatile("{.reg .u16 z; cvt." mode ".u16.f32 z,%1; cvt.u64.u16 %0,z;}" : "=l"(r) : "f"(a[t])); o[t * 32 + 8 + i] = r;  \
  asm volatile("{.reg .s16 z; cvt." mode ".s16.f32 z,%1; cvt.s64.s16 %0,z;}" : "=l"(r) : "f"(a[t])); o[t * 32 + 12 + i] = r;  \
  asm volatile("{.reg .u32 z; cvt." mode ".u32.f32 z,%1; cvt.u64.u32 %0,z;}" : "=l"(r) : "f"(a[t])); o[t * 32 + 16 + i] = r;  \
  asm volatile("{.reg .s32 z; cvt." mode ".s32.f32 z,%1; cvt.s64.s32 %0,z;}" : "=l"(r) : "f"(a[t])); o[t * 32 + 20 + i] = r;  \
  asm volatile("cvt." mode ".u64.f32 %0,%1;" : "=l"(r) : "f"(a[t])); o[t * 32 + 24 + i] = r;         \
  asm volatile("cvt." mode ".s64.f32 %0,%1;" : "=l"(r) : "f"(a[t])); o[t * 32 + 28 + i] = r;
extern "C" __global__ void ptx_round(const float* a, u64* o) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  u64 r;
  ROUND(0, "rni") ROUND(1, "rzi") ROUND(2, "rmi") ROUND(3, "rpi")
}
