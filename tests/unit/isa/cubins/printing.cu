// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void printing(int* data) { printf("%d\n", data[threadIdx.x]); }
