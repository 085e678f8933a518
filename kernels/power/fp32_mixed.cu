// SPDX-License-Identifier: Apache-2.0
// One dependent chain of multiply, add, divide, subtract: the load of GPU_Power_Benchmark's sensor
// tests, 1024 threads an SM.
extern "C" __global__ void fp32_mixed(float* out, int rounds, float a, float b) {
  float x = threadIdx.x + 1.0F;
#pragma unroll 4
  for (int i = 0; i < rounds; ++i) {
    x = x * a;
    x = x + b;
    x = x / a;
    x = x - b;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
