// SPDX-License-Identifier: Apache-2.0
// Every CTA reads `vectors` 16-byte vectors `passes` times. They are the CTA's own part of a buffer
// of CHUNKS such parts, which later CTAs read again.
extern "C" __global__ void walk(float* sink, const float4* buffer, int vectors, int passes) {
  const float4* data = buffer + static_cast<long long>(blockIdx.x % CHUNKS) * vectors;
  float sum = 0.0f;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll 4
    for (int i = threadIdx.x; i < vectors; i += blockDim.x) {
      const float4 v = data[i];
      sum += v.x + v.y + v.z + v.w;
    }
  }
  if (sum == 1.0f) {
    sink[threadIdx.x] = sum;
  }
}
