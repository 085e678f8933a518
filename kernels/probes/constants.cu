// SPDX-License-Identifier: Apache-2.0
// A chain of N additions whose constant operands lie SPACING floats apart; out[0] is the last
// pass's time in SM cycles. Far apart, every operand misses the first constant cache.
__constant__ float table[8192];

extern "C" __global__ void constants(long long* out, float* sink, int passes, float a) {
  long long window = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    const long long start = clock64();
#pragma unroll
    for (int n = 0; n < N; ++n) {
      a = __fadd_rn(a, table[n * SPACING]);
    }
    window = clock64() - start;
  }
  out[0] = window;
  sink[0] = a;
}
