// SPDX-License-Identifier: Apache-2.0
// Latency of one shared-memory or constant-bank load in flight. WIDTH words a load, the first of
// which is the address of the next; out[0] is the time of N steps in SM cycles.
__constant__ unsigned table[4096];

extern "C" __global__ void shared_chase(long long* out, int passes) {
  __shared__ __align__(16) unsigned ring[1024];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(ring));
  for (unsigned n = threadIdx.x; n < 1024; n += blockDim.x) {
    ring[n] = base + (n * 4 + 16) % 4096 / 16 * 16;
  }
  __syncthreads();
  long long window = 0;
  unsigned at = SPACE == 1 ? threadIdx.x * 4 : base;
  unsigned rest = 0; // so that the compiler keeps the width of the load
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    const long long start = clock64();
#pragma unroll
    for (int n = 0; n < N; ++n) {
#if SPACE == 1
      at = *reinterpret_cast<const unsigned*>(reinterpret_cast<const char*>(table) + at);
#elif WIDTH == 1
      asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
#elif WIDTH == 2
      unsigned t;
      asm volatile("ld.shared.v2.u32 {%0, %1}, [%0];" : "+r"(at), "=r"(t));
      rest ^= t;
#else
      unsigned t;
      unsigned v;
      unsigned w;
      asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%0];"
                   : "+r"(at), "=r"(t), "=r"(v), "=r"(w));
      rest ^= t ^ v ^ w;
#endif
    }
    window = clock64() - start;
  }
  out[0] = window;
  out[1] = at + rest;
}
