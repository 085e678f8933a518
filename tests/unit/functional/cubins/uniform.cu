// SPDX-License-Identifier: Apache-2.0
// Loads from constant memory at uniform indices, of each size; byte permutation of uniform values.
struct Pair {
  unsigned short low, high;
};
__constant__ float words[64];
__constant__ unsigned char bytes[64];
__constant__ signed char signed_bytes[64];
__constant__ short halves[64];
__constant__ unsigned short unsigned_halves[64];
__constant__ double doubles[32];

extern "C" __global__ void sums(double* out, int first, int count) {
  double total = 0;
  int integers = 0;
#pragma unroll 1
  for (int i = first; i < first + count; ++i) {
    total += words[i] + doubles[i];
    integers = integers * 3 + bytes[i] + 5 * signed_bytes[i] - 7 * halves[i] + 11 * unsigned_halves[i];
  }
  out[threadIdx.x] = total + integers;
}

extern "C" __global__ void swapped(unsigned* out, Pair a, Pair b) {
  out[threadIdx.x] = (unsigned(a.high) << 16 | b.low) + threadIdx.x;
}
