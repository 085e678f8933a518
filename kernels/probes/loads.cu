// SPDX-License-Identifier: Apache-2.0
// Rate of loads that hit L1 or shared memory: lane l reads WIDTH words at word l * STRIDE, N
// independent loads a repetition, each behind the one before, the same lines for every warp. Warps of `active` sub-cores load.
template <int WORDS> struct Value;
template <> struct Value<1> { using Type = unsigned; };
template <> struct Value<2> { using Type = uint2; };
template <> struct Value<4> { using Type = uint4; };
__device__ __forceinline__ unsigned low(unsigned v) { return v; }
__device__ __forceinline__ unsigned low(uint2 v) { return v.x ^ v.y; }
__device__ __forceinline__ unsigned low(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

extern "C" __global__ void
loads(long long* out, unsigned* sink, const unsigned* data, int reps, int active, int zero) {
  using Word = Value<WIDTH>::Type;
  if (static_cast<int>(threadIdx.x / 32 % 4) >= active) {
    return;
  }
  const int first = threadIdx.x % 32 * STRIDE;
  unsigned sum = 0;
#if SHARED
  __shared__ __align__(16) unsigned ring[(32 * STRIDE + N * 32) * WIDTH];
  const unsigned* at = ring + first;
#define STEP 32
#else
  const unsigned* at = data + first;
#define STEP (32 * STRIDE)
#endif
  long long window = 0;
#pragma unroll 1
  for (int rep = 0; rep < reps; ++rep) {
    const long long start = clock64();
#pragma unroll
    for (int n = 0; n < N; ++n) {
      sum ^= low(*reinterpret_cast<const Word*>(at + n * STEP));
    }
    at += zero;
    window = clock64() - start;
  }
  sink[threadIdx.x] = sum;
  if (threadIdx.x == 0) {
    out[0] = window;
  }
}
