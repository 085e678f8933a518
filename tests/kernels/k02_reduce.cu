// SPDX-License-Identifier: Apache-2.0
// block and warp reductions
#include <cuda_fp16.h>
#ifndef BS
#define BS 256
#endif
template <class T> __device__ __forceinline__ T wred(T v) {
#pragma unroll
  for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
  return v;
}
template <class T> __device__ __forceinline__ T wmax(T v) {
  for (int o = 16; o; o >>= 1) { T w = __shfl_down_sync(0xffffffffu, v, o); v = w > v ? w : v; }
  return v;
}
template <class T> __device__ __forceinline__ void blockred(const T* x, T* out, int n) {
  __shared__ T s[32];
  T acc = 0;
  for (int i = blockIdx.x * BS + threadIdx.x; i < n; i += BS * gridDim.x) acc += x[i];
  acc = wred(acc);
  if ((threadIdx.x & 31) == 0) s[threadIdx.x >> 5] = acc;
  __syncthreads();
  if (threadIdx.x < 32) {
    acc = threadIdx.x < BS / 32 ? s[threadIdx.x] : T(0);
    acc = wred(acc);
    if (threadIdx.x == 0) atomicAdd(out, acc);
  }
}
extern "C" __global__ void reduce_f32(const float* x, float* o, int n) { blockred(x, o, n); }
extern "C" __global__ void reduce_f64(const double* x, double* o, int n) { blockred(x, o, n); }
extern "C" __global__ void reduce_i32(const int* x, int* o, int n) { blockred(x, o, n); }
extern "C" __global__ void reduce_u64(const unsigned long long* x, unsigned long long* o, int n) { blockred(x, o, n); }
extern "C" __global__ void reduce_max(const float* x, float* o, int n) {
  float m = -1e30f;
  for (int i = threadIdx.x; i < n; i += BS) m = fmaxf(m, x[i]);
  m = wmax(m);
  if ((threadIdx.x & 31) == 0) atomicMax((int*)o, __float_as_int(m));
}
extern "C" __global__ void reduce_redux(const unsigned* x, const int* y, unsigned* o, int n) {
  unsigned i = blockIdx.x * BS + threadIdx.x;
  unsigned v = i < n ? x[i] : 0; int w = i < n ? y[i] : 0;
  unsigned a = __reduce_add_sync(~0u, v), b = __reduce_min_sync(~0u, v), c = __reduce_max_sync(~0u, v);
  unsigned d = __reduce_and_sync(~0u, v), e = __reduce_or_sync(~0u, v), f = __reduce_xor_sync(~0u, v);
  int g = __reduce_min_sync(~0u, w), h = __reduce_max_sync(~0u, w), k = __reduce_add_sync(~0u, w);
  if ((threadIdx.x & 31) == 0) { o[0] = a; o[1] = b; o[2] = c; o[3] = d; o[4] = e; o[5] = f; o[6] = g; o[7] = h; o[8] = k; }
}
extern "C" __global__ void reduce_shmem(const float* x, float* o, int n) {
  __shared__ float s[BS];
  unsigned t = threadIdx.x;
  s[t] = (t + blockIdx.x * BS < n) ? x[t + blockIdx.x * BS] : 0.f;
  __syncthreads();
  for (unsigned k = BS / 2; k > 0; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); }
  if (t == 0) o[blockIdx.x] = s[0];
}
extern "C" __global__ void shfl_modes(const float* x, float* o, int w, int k) {
  float v = x[threadIdx.x];
  float a = __shfl_sync(~0u, v, k), b = __shfl_up_sync(~0u, v, k), c = __shfl_down_sync(~0u, v, k, 16), d = __shfl_xor_sync(~0u, v, k, 8);
  float e = __shfl_sync(~0u, v, 3), f = __shfl_up_sync(~0u, v, 2, 8), g = __shfl_sync(~0u, v, k, w), h = __shfl_up_sync(~0u, v, 1, w);
  o[threadIdx.x] = a + b * c - d * e + f * g - h;
  double dd = __shfl_sync(~0u, (double)v, k); long long ll = __shfl_down_sync(~0u, (long long)w + threadIdx.x, 4);
  o[threadIdx.x + 64] = (float)dd + (float)ll;
}
