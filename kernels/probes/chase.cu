// SPDX-License-Identifier: Apache-2.0
// Latency of one load in flight. Every load's address depends on the load before it.
//   ADVANCE = pointer   the data are pointers, built here: one load a step. Small footprints.
//   ADVANCE = quad      the same with 128-bit loads
//   ADVANCE = add_wide  every 64-bit word holds the distance to the next: a load and an add
//   ADVANCE = add_word  a 32-bit word holds the distance to the next
// First every 32-byte sector of `ballast` is read: as much as L2 holds or more, so that the walk
// begins with its data in DRAM. The walk covers `windows` windows of N steps, `passes` times; the windows of the last pass are
// timed. out[0] is their sum, out[1] the shortest, out[2] the longest, in SM cycles.
#define pointer 0
#define add_wide 1
#define add_word 2
#define quad 3

extern "C" __global__ void
chase(long long* out,
      unsigned char* data,
      const int* ballast,
      int ballast_sectors,
      int passes,
      int windows,
      long long stride) {
  long long rest = 0;
#pragma unroll 4
  for (int n = threadIdx.x; n < ballast_sectors; n += blockDim.x) {
    rest ^= ballast[n * 8];
  }
  const long long nodes = static_cast<long long>(windows) * N;
#if ADVANCE == pointer || ADVANCE == quad
  for (long long n = threadIdx.x; n < nodes; n += blockDim.x) {
    *reinterpret_cast<unsigned char**>(data + n * stride) = data + (n + 1) % nodes * stride;
  }
#endif
  __syncthreads();
  if (threadIdx.x != 0) {
    return;
  }
  long long sum = 0;
  long long least = 1LL << 62;
  long long most = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    const unsigned char* at = data;
    sum = 0;
    least = 1LL << 62;
    most = 0;
#pragma unroll 1
    for (int window = 0; window < windows; ++window) {
      const long long start = clock64();
#pragma unroll
      for (int n = 0; n < N; ++n) {
#if ADVANCE == pointer
        asm volatile("ld.global" CACHE ".u64 %0, [%0];" : "+l"(at));
#elif ADVANCE == quad
        long long second;
        asm volatile("ld.global" CACHE ".v2.u64 {%0, %1}, [%0];" : "+l"(at), "=l"(second));
        rest ^= second;
#elif ADVANCE == add_wide
        long long step;
        asm volatile("ld.global" CACHE ".u64 %0, [%1];" : "=l"(step) : "l"(at));
        at += step;
#else
        unsigned step;
        asm volatile("ld.global" CACHE ".u32 %0, [%1];" : "=r"(step) : "l"(at));
        at += step;
#endif
      }
      long long stop;
      asm volatile("{ .reg .u64 t; and.b64 t, %1, 0; mov.u64 %0, %%clock64; add.u64 %0, %0, t; }"
                   : "=l"(stop)
                   : "l"(at));
      const long long time = stop - start;
      sum += time;
      least = time < least ? time : least;
      most = time > most ? time : most;
    }
    out[3] = reinterpret_cast<long long>(at);
  }
  out[0] = sum;
  out[1] = least;
  out[2] = most;
  out[4] = rest;
}
