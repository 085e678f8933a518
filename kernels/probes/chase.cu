// SPDX-License-Identifier: Apache-2.0
// Latency of one load in flight. Every load's address depends on the load before it.
//   ADVANCE = pointer   the data are pointers, built here: one load a step. Small footprints.
//   ADVANCE = add_wide  every 64-bit word holds the distance to the next: a load and an add
// First every 32-byte sector of `ballast` is read: as much as L2 holds or more, so that the walk
// begins with its data in DRAM. The walk covers `windows` windows (at most 512) of N steps,
// `passes` times; the windows of the last pass are timed. out[0] is their sum, out[1] the shortest,
// out[2] the longest, in SM cycles; out[5] is the mean of those below the mean of all (an L2
// partition that is near), out[6] of those above it (far), in hundredths of a cycle.
#define pointer 0
#define add_wide 1

extern "C" __global__ void chase(long long* out,
                                 unsigned char* data,
                                 const int* ballast,
                                 int ballast_sectors,
                                 int passes,
                                 int windows,
                                 long long stride) {
  __shared__ int times[512];
  long long rest = 0;
#pragma unroll 4
  for (int n = threadIdx.x; n < ballast_sectors; n += blockDim.x) {
    rest ^= ballast[n * 8];
  }
  const long long nodes = static_cast<long long>(windows) * N;
#if ADVANCE == pointer
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
#else
        long long step;
        asm volatile("ld.global" CACHE ".u64 %0, [%1];" : "=l"(step) : "l"(at));
        at += step;
#endif
      }
      long long stop;
      asm volatile("{ .reg .u64 t; and.b64 t, %1, 0; mov.u64 %0, %%clock64; add.u64 %0, %0, t; }"
                   : "=l"(stop)
                   : "l"(at));
      const long long time = stop - start;
      sum += time;
      times[window] = static_cast<int>(time);
      least = time < least ? time : least;
      most = time > most ? time : most;
    }
    out[3] = reinterpret_cast<long long>(at);
  }
  long long sums[2] = {0, 0};
  long long counts[2] = {0, 0};
#pragma unroll 1
  for (int window = 0; window < windows; ++window) {
    const bool far = static_cast<long long>(times[window]) * windows > sum;
    sums[0] += far ? 0 : times[window];
    sums[1] += far ? times[window] : 0;
    counts[0] += far ? 0 : 1;
    counts[1] += far ? 1 : 0;
  }
  out[5] = sums[0] * 100 / (counts[0] == 0 ? 1 : counts[0]);
  out[6] = sums[1] * 100 / (counts[1] == 0 ? 1 : counts[1]);
  out[0] = sum;
  out[1] = least;
  out[2] = most;
  out[4] = rest;
}
