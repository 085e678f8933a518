// SPDX-License-Identifier: Apache-2.0
// What a hand-written program (*.sass) is put into: its parameters (out at c[0x0][0x160], data at
// c[0x0][0x168]), constant table (c[0x3]), shared memory and barrier. Of the code here nothing is
// left; LIVE raises the registers a thread, ROOM the instructions that a program may have.
__constant__ unsigned table[8192];

extern "C" __global__ void program(long long* out, const unsigned* data) {
  __shared__ unsigned cells[2048];
  cells[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  unsigned live[LIVE];
#pragma unroll
  for (int i = 0; i < LIVE; ++i) {
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(live[i]) : "l"(data + i * 32 + threadIdx.x));
  }
  unsigned sum = cells[threadIdx.x ^ 1];
#pragma unroll
  for (int i = 0; i < LIVE; ++i) {
    sum = sum * live[i] + live[i * 7 % LIVE];
  }
#pragma unroll
  for (int i = 0; i < ROOM; ++i) {
    unsigned time;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(time));
    sum += time;
  }
  out[threadIdx.x] = sum;
}
