// SPDX-License-Identifier: Apache-2.0
// STREAM triad in double precision, one element a thread.
extern "C" __global__ void stream_triad(double* a, const double* b, const double* c, double s) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  a[i] = b[i] + s * c[i];
}
