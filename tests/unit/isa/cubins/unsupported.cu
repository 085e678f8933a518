// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void plain(int* data) { data[threadIdx.x] = 7; }

extern "C" __global__ void textured(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}
