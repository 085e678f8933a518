// SPDX-License-Identifier: Apache-2.0
// Latency of one shared-memory load in flight, whose word is the address of the next; out[0] is the
// time of N steps in SM cycles.
extern "C" __global__ void shared_chase(long long* out, int passes) {
  __shared__ __align__(16) unsigned ring[1024];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(ring));
  for (unsigned n = threadIdx.x; n < 1024; n += blockDim.x) {
    ring[n] = base + (n * 4 + 16) % 4096 / 16 * 16;
  }
  __syncthreads();
  long long window = 0;
  unsigned at = base;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    const long long start = clock64();
#pragma unroll
    for (int n = 0; n < N; ++n) {
      asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
    }
    window = clock64() - start;
  }
  out[0] = window;
  out[1] = at;
}
