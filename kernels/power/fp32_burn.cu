// SPDX-License-Identifier: Apache-2.0
// FP32 burn: 64 times `rounds` rounds of four FMAs, in dependent pairs on two accumulators; one store
// at the end.
extern "C" __global__ void fp32_burn(float* out, int rounds, float a, float b) {
  float x = threadIdx.x;
  float y = blockIdx.x;
  for (int i = 0; i < 64; ++i) {
    for (int j = 0; j < rounds; ++j) {
      x = fmaf(x, a, b);
      y = fmaf(y, a, b);
      x = fmaf(x, a, b);
      y = fmaf(y, a, b);
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x + y;
}
