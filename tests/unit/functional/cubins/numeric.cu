// SPDX-License-Identifier: Apache-2.0
// Arithmetic: FP64, packed half, 64-bit integers, the math library.
#include <cuda_fp16.h>

extern "C" __global__ void double_math(const double* a, const double* b, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double* o = out + 8 * i;
  o[0] = a[i] + b[i];
  o[1] = a[i] * b[i];
  o[2] = a[i] / b[i];
  o[3] = fma(a[i], b[i], 1.0);
  o[4] = sqrt(fabs(a[i]));
  o[5] = fmin(a[i], b[i]);
  o[6] = (double)(float)a[i];
  o[7] = (double)(long long)a[i];
}

// The operands are halves in 0..63 times 1/8.
extern "C" __global__ void half_math(const __half2* a, const __half2* b, const __half2* c, __half2* out,
                                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half2* o = out + 4 * i;
  o[0] = __hadd2(a[i], b[i]);
  o[1] = __hmul2(a[i], b[i]);
  o[2] = __hfma2(a[i], b[i], c[i]);
  o[3] = __floats2half2_rn(__low2float(a[i]) * 1.1f, __high2float(b[i]) * 0.3f);
}

extern "C" __global__ void int64_math(const long long* a, const long long* b, long long* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long x = a[i], y = b[i];
  long long* o = out + 12 * i;
  o[0] = a[i] + b[i];
  o[1] = a[i] - b[i];
  o[2] = a[i] * b[i];
  o[3] = a[i] / b[i];
  o[4] = a[i] % b[i];
  o[5] = x / y;
  o[6] = x << (y & 63);
  o[7] = a[i] >> (y & 63);
  o[8] = x >> (y & 63);
  o[9] = __mul64hi(a[i], b[i]);
  o[10] = a[i] < b[i] ? x : y;
  o[11] = __clzll(x) + 100 * __popcll(y);
}

extern "C" __global__ void transcendental(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float* o = out + 12 * i;
  float p = fabsf(x[i]) + 0.125f;
  o[0] = sinf(x[i]);
  o[1] = cosf(x[i]);
  o[2] = expf(x[i] * 0.25f);
  o[3] = logf(p);
  o[4] = rsqrtf(p);
  o[5] = sqrtf(p);
  o[6] = 1.0f / x[i];
  o[7] = powf(p, 1.7f);
  o[8] = tanhf(x[i]);
  o[9] = x[i] / 3.7f;
  o[10] = atan2f(x[i], 2.0f);
  o[11] = erff(x[i]);
}

// Rounding modes, conversions, saturation: exact results.
extern "C" __global__ void exact_float(const float* a, const float* b, float* out, int* ints, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float* o = out + 14 * i;
  o[0] = __fadd_rn(a[i], b[i]);
  o[1] = __fadd_rz(a[i], b[i]);
  o[2] = __fadd_ru(a[i], b[i]);
  o[3] = __fadd_rd(a[i], b[i]);
  o[4] = __fmul_rz(a[i], b[i]);
  o[5] = __fmul_ru(a[i], b[i]);
  o[6] = __fmaf_rd(a[i], b[i], 1.0f);
  o[7] = fmaf(a[i], b[i], -a[i]);
  o[8] = __saturatef(a[i] * b[i]);
  o[9] = fminf(a[i], b[i]);
  o[10] = fmaxf(-a[i], fabsf(b[i]));
  o[11] = a[i] / b[i];
  o[12] = sqrtf(fabsf(a[i]));
  o[13] = rintf(a[i]) + floorf(b[i]) * 0.5f;
  int* p = ints + 6 * i;
  p[0] = (int)a[i];
  p[1] = __float2int_rn(a[i]);
  p[2] = __float2int_ru(b[i]);
  p[3] = (int)(unsigned)a[i];
  p[4] = a[i] < b[i] || !(a[i] >= 0.0f);
  p[5] = __float_as_int(__int2float_rz(__float_as_int(a[i])));
}
