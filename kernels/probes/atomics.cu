// SPDX-License-Identifier: Apache-2.0
// Atomic additions to shared memory, CONTENDERS neighbouring threads to one address. VALUE is
// `value`, unknown to the compiler, or 1.
extern "C" __global__ void atomics(int* sink, int reps, int value) {
  __shared__ int cells[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
    cells[i] = 0;
  }
  __syncthreads();
#pragma unroll 1
  for (int rep = 0; rep < reps; ++rep) {
#pragma unroll
    for (int n = 0; n < 8; ++n) {
      atomicAdd(&cells[threadIdx.x / CONTENDERS], VALUE);
    }
  }
  __syncthreads();
  sink[threadIdx.x] = cells[threadIdx.x];
}
