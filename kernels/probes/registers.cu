// SPDX-License-Identifier: Apache-2.0
// LIVE values are loaded before the first is used, so that each needs a register.
extern "C" __global__ void registers(float* out, const float* in) {
  float v[LIVE];
#pragma unroll
  for (int i = 0; i < LIVE; ++i) {
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(v[i]) : "l"(in + i * 32 + threadIdx.x % 32));
  }
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < LIVE; ++i) {
    sum = sum * v[i] + v[(i * 7) % LIVE];
  }
  out[threadIdx.x] = sum;
}
