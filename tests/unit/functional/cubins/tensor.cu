// SPDX-License-Identifier: Apache-2.0
// One warp: D (16 x 8) = A (16 x 16) * B (16 x 8) + C, operands through shared memory.

extern "C" __global__ void mma_half(const unsigned short* a, const unsigned short* b, const float* c, float* d) {
  __shared__ __align__(16) unsigned short sa[16 * 16], sb[16 * 8];
  int l = threadIdx.x;
  for (int i = l; i < 256; i += 32) sa[i] = a[i];
  for (int i = l; i < 128; i += 32) sb[i] = b[i];
  __syncthreads();
  unsigned ra[4], rb[2];
  unsigned pa = (unsigned)__cvta_generic_to_shared(&sa[(l % 16) * 16 + (l / 16) * 8]);
  unsigned pb = (unsigned)__cvta_generic_to_shared(&sb[(l % 16) * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(pa));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(rb[0]), "=r"(rb[1]) : "r"(pb));
  int g = l / 4, t = l % 4;
  float f[4] = {c[g * 8 + 2 * t], c[g * 8 + 2 * t + 1], c[(g + 8) * 8 + 2 * t], c[(g + 8) * 8 + 2 * t + 1]};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  d[g * 8 + 2 * t] = f[0];
  d[g * 8 + 2 * t + 1] = f[1];
  d[(g + 8) * 8 + 2 * t] = f[2];
  d[(g + 8) * 8 + 2 * t + 1] = f[3];
}

// D (16 x 8) = A (16 x 32) * B (32 x 8, stored by columns) + C, 8-bit signed.
extern "C" __global__ void mma_int8(const signed char* a, const signed char* b, const int* c, int* d) {
  int l = threadIdx.x, g = l / 4, t = l % 4;
  const unsigned* wa = (const unsigned*)a;
  const unsigned* wb = (const unsigned*)b;
  int f[4] = {c[g * 8 + 2 * t], c[g * 8 + 2 * t + 1], c[(g + 8) * 8 + 2 * t], c[(g + 8) * 8 + 2 * t + 1]};
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(f[0]), "+r"(f[1]), "+r"(f[2]), "+r"(f[3])
               : "r"(wa[g * 8 + t]), "r"(wa[(g + 8) * 8 + t]), "r"(wa[g * 8 + t + 4]), "r"(wa[(g + 8) * 8 + t + 4]),
                 "r"(wb[g * 8 + t]), "r"(wb[g * 8 + t + 4]));
  d[g * 8 + 2 * t] = f[0];
  d[g * 8 + 2 * t + 1] = f[1];
  d[(g + 8) * 8 + 2 * t] = f[2];
  d[(g + 8) * 8 + 2 * t + 1] = f[3];
}

// D (8 x 8) = A (8 x 4) * B (4 x 8) + C in FP64.
extern "C" __global__ void mma_double(const double* a, const double* b, const double* c, double* d) {
  int l = threadIdx.x, g = l / 4, t = l % 4;
  double f0 = c[g * 8 + 2 * t], f1 = c[g * 8 + 2 * t + 1];
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(f0), "+d"(f1) : "d"(a[g * 4 + t]), "d"(b[t * 8 + g]));
  d[g * 8 + 2 * t] = f0;
  d[g * 8 + 2 * t + 1] = f1;
}
