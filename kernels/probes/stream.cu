// SPDX-License-Identifier: Apache-2.0
// Streams through DRAM: each thread moves 4 vectors of 16 bytes, a CTA's width apart.
extern "C" __global__ void
stream(float4* x, const float4* y, const float4* z, float never) {
  const long long base = static_cast<long long>(blockIdx.x) * blockDim.x * 4 + threadIdx.x;
  float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const long long i = base + k * blockDim.x;
#if MODE == 0
    const float4 v = y[i];
    sum.x += v.x + v.y + v.z + v.w;
#elif MODE == 1
    x[i] = y[i];
#elif MODE == 2
    const float4 v = y[i];
    const float4 w = z[i];
    x[i] = {v.x + never * w.x, v.y + never * w.y, v.z + never * w.z, v.w + never * w.w};
#else
    x[i] = {never, never, never, never};
#endif
  }
  if (MODE == 0 && sum.x == never) {
    x[base] = sum;
  }
}
