// SPDX-License-Identifier: Apache-2.0
// Phases of an mbarrier in shared memory: each thread passes a value to its neighbour `rounds` times.
__device__ unsigned shared_address(void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

extern "C" __global__ void rotate(int* data, int rounds) {
  __shared__ unsigned long long barrier;
  __shared__ int slots[2][128];
  const unsigned address = shared_address(&barrier);
  const unsigned t = threadIdx.x;
  if (t == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address), "r"(blockDim.x));
  }
  __syncthreads();
  int value = data[t];
  for (int round = 0; round < rounds; ++round) {
    slots[round & 1][t] = value;
    unsigned long long state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(address) : "memory");
    int done = 0;
    while (done == 0) {
      asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
                   : "=r"(done)
                   : "r"(address), "l"(state)
                   : "memory");
    }
    value = slots[round & 1][(t + 1) % blockDim.x] + 1;
  }
  data[t] = value;
}
