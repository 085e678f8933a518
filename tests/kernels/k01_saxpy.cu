// SPDX-License-Identifier: Apache-2.0
// saxpy family: guarded, grid-stride, vectorised, unrolled
#ifndef UNR
#define UNR 4
#endif
extern "C" __global__ void saxpy(int n, float a, const float* __restrict__ x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void saxpy_stride(size_t n, float a, const float* __restrict__ x, float* __restrict__ y) {
#pragma unroll UNR
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    y[i] = fmaf(a, x[i], y[i]);
}
extern "C" __global__ void saxpy_v4(int n4, float a, const float4* __restrict__ x, float4* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n4) return;
  float4 u = x[i], v = y[i];
  v.x += a * u.x; v.y += a * u.y; v.z += a * u.z; v.w += a * u.w;
  y[i] = v;
}
extern "C" __global__ void daxpy(int n, double a, const double* __restrict__ x, double* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += a * x[i];
}
extern "C" __global__ void iaxpy(int n, int a, const int* __restrict__ x, int* y, const short* s, const signed char* c, const unsigned char* uc) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i] + s[i] * c[i] - uc[i];
}
