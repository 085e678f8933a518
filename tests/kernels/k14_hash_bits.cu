// SPDX-License-Identifier: Apache-2.0
typedef unsigned u32; typedef unsigned long long u64;
#ifndef ROUNDS
#define ROUNDS 64
#endif
#define ROL(x, n) __funnelshift_l(x, x, n)
__constant__ u32 K[64] = {0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
extern "C" __global__ void md5ish(const u32* in, u32* out) {
  u32 m[16], a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  for (int i = 0; i < 16; i++) m[i] = in[threadIdx.x * 16 + i];
#pragma unroll
  for (int i = 0; i < ROUNDS; i++) {
    u32 f; int g; if (i < 16) { f = (b & c) | (~b & d); g = i; } else if (i < 32) { f = (d & b) | (~d & c); g = (5 * i + 1) & 15; } else if (i < 48) { f = b ^ c ^ d; g = (3 * i + 5) & 15; } else { f = c ^ (b | ~d); g = (7 * i) & 15; }
    u32 t = d; d = c; c = b; b = b + ROL(a + f + K[i & 15] + m[g], (i * 7 + 5) & 31); a = t;
  }
  out[threadIdx.x * 4] = a; out[threadIdx.x * 4 + 1] = b; out[threadIdx.x * 4 + 2] = c; out[threadIdx.x * 4 + 3] = d;
}
extern "C" __global__ void sha256ish(const u32* in, u32* out) {
  u32 w[16], s[8];
#pragma unroll
  for (int i = 0; i < 16; i++) w[i] = __byte_perm(in[threadIdx.x * 16 + i], 0, 0x0123);
#pragma unroll
  for (int i = 0; i < 8; i++) s[i] = 0x6a09e667u * (i + 1);
#pragma unroll
  for (int i = 0; i < ROUNDS; i++) {
    u32 x = w[i & 15];
    if (i >= 16) { u32 a = w[(i - 15) & 15], b = w[(i - 2) & 15]; x = w[i & 15] += (ROL(a, 25) ^ ROL(a, 14) ^ (a >> 3)) + w[(i - 7) & 15] + (ROL(b, 15) ^ ROL(b, 13) ^ (b >> 10)); }
    u32 t1 = s[7] + (ROL(s[4], 26) ^ ROL(s[4], 21) ^ ROL(s[4], 7)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + K[i] + x;
    u32 t2 = (ROL(s[0], 30) ^ ROL(s[0], 19) ^ ROL(s[0], 10)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    s[7] = s[6]; s[6] = s[5]; s[5] = s[4]; s[4] = s[3] + t1; s[3] = s[2]; s[2] = s[1]; s[1] = s[0]; s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) out[threadIdx.x * 8 + i] = s[i];
}
extern "C" __global__ void keccakish(u64* st, int rounds) {
  u64 s[25];
#pragma unroll
  for (int i = 0; i < 25; i++) s[i] = st[threadIdx.x * 25 + i];
  for (int r = 0; r < rounds; r++) {
    u64 c[5], d;
#pragma unroll
    for (int i = 0; i < 5; i++) c[i] = s[i] ^ s[i + 5] ^ s[i + 10] ^ s[i + 15] ^ s[i + 20];
#pragma unroll
    for (int i = 0; i < 5; i++) { d = c[(i + 4) % 5] ^ ((c[(i + 1) % 5] << 1) | (c[(i + 1) % 5] >> 63)); for (int j = 0; j < 25; j += 5) s[i + j] ^= d; }
#pragma unroll
    for (int i = 0; i < 25; i++) { int n = (i * 7 + 1) % 64; s[i] = (s[i] << n) | (s[i] >> ((64 - n) & 63)); }
#pragma unroll
    for (int j = 0; j < 25; j += 5) { u64 t0 = s[j], t1 = s[j + 1]; s[j] ^= ~s[j + 1] & s[j + 2]; s[j + 1] ^= ~s[j + 2] & s[j + 3]; s[j + 2] ^= ~s[j + 3] & s[j + 4]; s[j + 3] ^= ~s[j + 4] & t0; s[j + 4] ^= ~t0 & t1; }
    s[0] ^= 0x8000000080008008ull + r;
  }
#pragma unroll
  for (int i = 0; i < 25; i++) st[threadIdx.x * 25 + i] = s[i];
}
extern "C" __global__ void bits(const u32* x, u32* o, u32 a, u32 b, int n) {
  u32 v = x[threadIdx.x]; int s = (int)v; u64 l = ((u64)v << 32) | x[threadIdx.x + 1];
  u32 r = __popc(v) + __clz(v) + __ffs(v) + __brev(v) + __popcll(l) + __clzll(l) + __ffsll(l) + (u32)__brevll(l);
  r += __byte_perm(v, a, b) + __byte_perm(v, a, 0x5410) + __byte_perm(v, a, 0x6420) + __funnelshift_l(v, a, n) + __funnelshift_r(v, a, n) + __funnelshift_lc(v, a, n) + __funnelshift_rc(v, a, n) + __funnelshift_r(v, v, 7);
  r ^= (v << n) + (v >> n) + (s >> n) + (u32)(l >> n) + (u32)(l << n) + (u32)((long long)l >> n) + (s >> 5) + (v << 3);
  r += __umulhi(v, a) + __mulhi(s, n) + __mul24(s, n) + __umul24(v, a) + __sad(s, n, v) + __usad(v, a, b) + __hadd(s, n) + __rhadd(s, n) + __uhadd(v, a);
  u32 bf, bi, bm, bs2; asm("bfe.u32 %0,%1,%2,%3;" : "=r"(bf) : "r"(v), "r"(a), "r"(b)); asm("bfi.b32 %0,%1,%2,%3,%4;" : "=r"(bi) : "r"(v), "r"(a), "r"(b), "r"(n)); asm("bfe.s32 %0,%1,%2,%3;" : "=r"(bs2) : "r"(v), "r"(a), "r"(5)); asm("bfind.u32 %0,%1;" : "=r"(bm) : "r"(v));
  u32 bx; asm("bfind.shiftamt.s32 %0,%1;" : "=r"(bx) : "r"(s)); u32 l3; asm("lop3.b32 %0,%1,%2,%3,0xca;" : "=r"(l3) : "r"(v), "r"(a), "r"(b));
  r += bf + bi * bm + bs2 + bx + l3; r += __vadd2(v, a) + __vadd4(v, b) + __vmaxs2(v, a) + __vminu4(v, b) + __vabsdiffu4(v, a) + __vcmpeq4(v, a) + __vsetgts2(v, b) + __vavgu2(v, a) + __vsub4(v, a) + __vsadu4(v, a);
  r += __dp4a(v, a, b) + __dp4a(s, n, s) + __dp2a_lo(v, a, b) + __dp2a_hi(s, n, s) + (u32)__dp4a((int)v, (int)a, 5);
  r ^= max(s, n) + min(v, a) + abs(s) - (~v) + (v & a & ~b) + (v ^ (a | b)); if ((v & a) == 0) r += 3; if ((v ^ b) & 0x80) r ^= 0x55; if ((v | a) != b) r = ~r;
  o[threadIdx.x] = r;
}
extern "C" __global__ void int64ops(const long long* x, const u64* y, long long* o, long long k, u64 m, int n) {
  long long a = x[threadIdx.x]; u64 b = y[threadIdx.x];
  long long r = a * k + (long long)b; u64 q = b * m; r += __mul64hi(a, k); q += __umul64hi(b, m); r -= a < k ? 3 : 5; q ^= b > m ? b : m; r += (a <= (long long)b) && (a != k); r = max(r, a); q = min(q, b);
  r += a << (n & 63); r ^= a >> n; q |= b >> n; r -= -a; q = ~q; r += llabs(a); r += (long long)(int)a * n; q += (u64)(u32)b * (u32)n; r += (int)a; q += (short)b; q += (b >> 32) * 7 + (b & 0xffff);
  unsigned __int128 w = (unsigned __int128)b * m + q; q ^= (u64)(w >> 64) + (u64)w; w <<= 13; w -= b; q += (u64)(w >> 70);
  o[threadIdx.x * 2] = r; o[threadIdx.x * 2 + 1] = q;
}
extern "C" __global__ void intdiv(const int* x, const u32* u, const long long* l, int* o, int d, u32 ud, long long ld) {
  int t = threadIdx.x, a = x[t]; u32 b = u[t]; long long c = l[t]; u64 e = (u64)c;
  int r = a / d + a % d + a / 7 + a % 10 + a / -5 + a / 16 + a % 8; r += b / ud + b % ud + b / 7 + b % 1000 + b / 641; r += (int)(c / ld) + (int)(c % ld) + (int)(e / (u64)ld) + (int)(e % 1000003ull) + (int)(c / 10);
  r += (short)a / (short)d + (unsigned char)b % (unsigned char)ud; o[t] = r;
}
extern "C" __global__ void crc_table(const unsigned char* d, u32* o, int n, const u32* __restrict__ tab) { u32 c = ~0u; for (int i = 0; i < n; i++) c = tab[(c ^ d[threadIdx.x * n + i]) & 255] ^ (c >> 8); o[threadIdx.x] = ~c; }
