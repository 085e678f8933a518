// SPDX-License-Identifier: Apache-2.0
// row softmax (online and two-pass), fp32 and fp16 rows
#include <cuda_fp16.h>
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef BS
#define BS 128
#endif
#ifndef ITEMS
#define ITEMS 4
#endif
extern "C" __global__ void __launch_bounds__(BS) softmax_f32(const float* __restrict__ x, float* __restrict__ y, int cols) {
  __shared__ float red[32];
  const float* r = x + (size_t)blockIdx.x * cols; float* w = y + (size_t)blockIdx.x * cols;
  float v[ITEMS], m = -INFINITY;
#pragma unroll
  for (int i = 0; i < ITEMS; i++) { int c = threadIdx.x + i * BS; v[i] = c < cols ? r[c] : -INFINITY; m = fmaxf(m, v[i]); }
  for (int o = 16; o; o >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
  if (threadIdx.x % 32 == 0) red[threadIdx.x / 32] = m;
  __syncthreads();
  m = red[0];
  for (int i = 1; i < BS / 32; i++) m = fmaxf(m, red[i]);
  __syncthreads();
  float s = 0;
#pragma unroll
  for (int i = 0; i < ITEMS; i++) { v[i] = expf(v[i] - m); s += v[i]; }
  for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
  if (threadIdx.x % 32 == 0) red[threadIdx.x / 32] = s;
  __syncthreads();
  s = 0; for (int i = 0; i < BS / 32; i++) s += red[i];
  float inv = 1.f / s;
#pragma unroll
  for (int i = 0; i < ITEMS; i++) { int c = threadIdx.x + i * BS; if (c < cols) w[c] = v[i] * inv; }
}
extern "C" __global__ void softmax_online_h(const __half2* __restrict__ x, __half2* y, int cols2) {
  const __half2* r = x + (size_t)blockIdx.x * cols2;
  float m = -1e30f, s = 0;
  for (int c = threadIdx.x; c < cols2; c += 32) {
    float2 f = __half22float2(r[c]);
    float nm = fmaxf(m, fmaxf(f.x, f.y));
    s = s * __expf(m - nm) + __expf(f.x - nm) + __expf(f.y - nm);
    m = nm;
  }
  for (int o = 16; o; o >>= 1) {
    float om = __shfl_xor_sync(~0u, m, o), os = __shfl_xor_sync(~0u, s, o), nm = fmaxf(m, om);
    s = s * __expf(m - nm) + os * __expf(om - nm); m = nm;
  }
  float inv = __fdividef(1.f, s);
  for (int c = threadIdx.x; c < cols2; c += 32) {
    float2 f = __half22float2(r[c]);
    y[(size_t)blockIdx.x * cols2 + c] = __floats2half2_rn(__expf(f.x - m) * inv, __expf(f.y - m) * inv);
  }
}
extern "C" __global__ void layernorm(const float4* __restrict__ x, const float* __restrict__ g, const float* __restrict__ b, float* y, int cols, float eps) {
  __shared__ float2 red[32];
  const float4* r = x + (size_t)blockIdx.x * (cols / 4);
  float s = 0, q = 0;
  for (int c = threadIdx.x; c < cols / 4; c += BS) { float4 v = r[c]; s += v.x + v.y + v.z + v.w; q += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w; }
  for (int o = 16; o; o >>= 1) { s += __shfl_down_sync(~0u, s, o); q += __shfl_down_sync(~0u, q, o); }
  if (!(threadIdx.x & 31)) red[threadIdx.x >> 5] = make_float2(s, q);
  __syncthreads();
  s = q = 0;
#pragma unroll
  for (int i = 0; i < BS / 32; i++) { s += red[i].x; q += red[i].y; }
  float mu = s / cols, rs = rsqrtf(q / cols - mu * mu + eps);
  for (int c = threadIdx.x; c < cols; c += BS) y[(size_t)blockIdx.x * cols + c] = (((const float*)r)[c] - mu) * rs * g[c] + b[c];
}
extern "C" __global__ void rmsnorm_gelu(const float* x, float* y, int cols) {
  float q = 0;
  for (int c = threadIdx.x; c < cols; c += 32) { float v = x[blockIdx.x * cols + c]; q += v * v; }
  for (int o = 16; o; o >>= 1) q += __shfl_xor_sync(~0u, q, o);
  float k = 1.0f / sqrtf(q / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += 32) {
    float v = x[blockIdx.x * cols + c] * k;
    y[blockIdx.x * cols + c] = 0.5f * v * (1.f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v))) + erff(v * 0.70710678f) + v / (1.f + expf(-v));
  }
}
