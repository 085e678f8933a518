// SPDX-License-Identifier: Apache-2.0
// DRAM with one 8-byte load of each thread in flight: the next address waits for the last value.
extern "C" __global__ void ramp(long long* sink, const long long* data, int rounds) {
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    i += threads + data[i];
  }
  sink[threadIdx.x] = i;
}
