// SPDX-License-Identifier: Apache-2.0
// Integer and predicate instructions that ordinary code seldom uses, through their PTX names.

#define OP2(name, ptx) __device__ unsigned name(unsigned a, unsigned b) { unsigned d; asm(ptx " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); return d; }
#define OP3(name, ptx) __device__ unsigned name(unsigned a, unsigned b, unsigned c) { unsigned d; asm(ptx " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); return d; }
OP3(dp4a_ss, "dp4a.s32.s32")
OP3(dp4a_uu, "dp4a.u32.u32")
OP3(dp2a_lo, "dp2a.lo.u32.u32")
OP3(dp2a_hi, "dp2a.hi.s32.s32")
OP3(funnel_wrap, "shf.l.wrap.b32")
OP3(funnel_clamp, "shf.r.clamp.b32")
OP3(prmt, "prmt.b32")
OP3(prmt_f4e, "prmt.b32.f4e")
OP3(prmt_b4e, "prmt.b32.b4e")
OP3(prmt_rc8, "prmt.b32.rc8")
OP3(prmt_ecl, "prmt.b32.ecl")
OP3(prmt_ecr, "prmt.b32.ecr")
OP3(prmt_rc16, "prmt.b32.rc16")
OP3(sad_s, "sad.s32")
OP3(sad_u, "sad.u32")
OP3(vabsdiff4, "vabsdiff4.u32.u32.u32.add")
OP2(bmsk_clamp, "bmsk.clamp.b32")
OP2(bmsk_wrap, "bmsk.wrap.b32")
OP2(szext, "szext.clamp.s32")
OP2(zext, "szext.wrap.u32")
OP2(shl, "shl.b32")
OP2(shr_s, "shr.s32")
OP2(shr_u, "shr.u32")

extern "C" __global__ void bit_operations(const unsigned* pa, const unsigned* pb, const unsigned* pc,
                                          unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned a = pa[i], b = pb[i], c = pc[i];
  unsigned* o = out + 40 * i;
  o[0] = dp4a_ss(a, b, c);
  o[1] = dp4a_uu(a, b, c);
  o[2] = dp2a_lo(a, b, c);
  o[3] = dp2a_hi(a, b, c);
  o[4] = funnel_wrap(a, b, c);
  o[5] = funnel_clamp(a, b, c & 63);
  o[6] = prmt(a, b, c);
  o[7] = prmt_f4e(a, b, c);
  o[8] = prmt_b4e(a, b, c);
  o[9] = prmt_rc8(a, b, c);
  o[10] = prmt_ecl(a, b, c);
  o[11] = prmt_ecr(a, b, c);
  o[12] = prmt_rc16(a, b, c);
  o[13] = sad_s(a, b, c);
  o[14] = sad_u(a, b, c);
  o[15] = vabsdiff4(a, b, c);
  o[16] = bmsk_clamp(a & 63, b & 63);
  o[17] = bmsk_wrap(a, b);
  o[18] = szext(a, b & 63);
  o[19] = zext(a, b);
  o[20] = shl(a, b & 63);
  o[21] = shr_s(a, b & 63);
  o[22] = shr_u(a, b & 63);
  o[23] = (a & b) | (~a & c);
  o[24] = (a & b) ^ (b & c) ^ (c & a);
  o[25] = ~(a | b) & c;
  o[26] = __ffs(a) + 64 * __clz((int)b) + 8192 * __popc(~c);
  o[27] = __umulhi(a, b) + (unsigned)__mulhi((int)a, (int)c);
  o[28] = __funnelshift_l(a, a, b);
  o[29] = (a > b) + 2 * ((int)a < (int)b) + 4 * (a == b || (b > c && c != 0)) + 8 * ((a ^ b) < c && !(a & 1));
  o[30] = __vadd4(a, b) + __vmaxs2(b, c);
  o[31] = (unsigned)(unsigned char)a + (unsigned)(signed char)b + (unsigned)(short)c;
  unsigned long long wide = (unsigned long long)a * b + (((unsigned long long)c << 32) | a);
  o[32] = wide;
  o[33] = wide >> 32;
  long long swide = (long long)(int)a * (int)b - (int)c;
  o[34] = swide;
  o[35] = swide >> 32;
  o[36] = a * 37 + b * 8 + c;
  o[37] = (int)a / 16 + (int)b % 32;
  o[38] = max((int)a, (int)b) - min(b, c);
  o[39] = abs((int)a - (int)b);
}

// Predicated selection of float values, and comparisons with NaN.
extern "C" __global__ void float_compare(const float* pa, const float* pb, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = pa[i], b = pb[i];
  out[i] = (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > b) + 32 * (a >= b) +
           64 * !(a < b) + 128 * !(a >= b) + 256 * (isnan(a) || isnan(b)) + 512 * (fabsf(a) > 1.0f && b < 0);
}
