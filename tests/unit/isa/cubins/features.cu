// SPDX-License-Identifier: Apache-2.0
// Each kernel shows one thing that the cubin reader must find. Rebuild: see README.md.
__constant__ float weights[12] = {0.5f, 1.5f, 2.5f};
__constant__ int limits[4];
__device__ int counter;
__device__ float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__device__ float* table_pointer = table + 2;

extern "C" __global__ void __launch_bounds__(128) axpy(float a, const float* x, float* y, int n, char flag) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && flag != 0) {
    y[i] = a * x[i] + y[i];
  }
}

extern "C" __global__ void reverse_tile(float* data) {
  __shared__ float tile[256];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[255 - threadIdx.x] * weights[threadIdx.x % 12] + limits[threadIdx.x % 4];
}

extern "C" __global__ void count_and_look(float* out) {
  atomicAdd(&counter, 1);
  out[threadIdx.x] = table[threadIdx.x % 4] + *table_pointer;
}

extern "C" __global__ void scale_double(double* data) {
  data[threadIdx.x] = data[threadIdx.x] * 3.14159265358979 + 2.71828182845905;
}

extern "C" __global__ void choose(int* out, int which, int x) {
  int result = x;
  switch (which) {
  case 0: result = __popc(x) * 3; break;
  case 1: result = __clz(x) + out[1]; break;
  case 2: result = __brev(x); break;
  case 3: result = x * out[2] + 7; break;
  case 4: result = __ffs(x) - out[3]; break;
  case 5: result = out[x] ^ x; atomicAdd(out + 5, result); break;
  case 6: result = x / out[4]; break;
  case 7: result = __float2int_rn(sqrtf(x)); break;
  }
  out[0] = result;
}

extern "C" __global__ void local_array(int* out, const int* index, int n) {
  int scratch[32];
  for (int i = 0; i < 32; ++i) {
    scratch[i] = index[i] * n;
  }
  for (int i = 0; i < n; ++i) {
    scratch[index[i] & 31] += i;
  }
  out[threadIdx.x] = scratch[index[threadIdx.x] & 31];
}

extern "C" __global__ void two_barriers(int* data) {
  asm volatile("bar.sync 1, 64;");
  data[threadIdx.x] += 1;
  asm volatile("bar.sync 4, 64;");
  data[threadIdx.x + 64] += data[threadIdx.x];
}

template <typename T> __global__ void fill(T* data, T value) { data[threadIdx.x] = value; }
template __global__ void fill<int>(int*, int);
template __global__ void fill<double>(double*, double);

__global__ void lonely(int* data) { data[threadIdx.x] = 1; }
