// SPDX-License-Identifier: Apache-2.0
// Everyday kernels: streaming, reduction, divergence, locks, division, jump tables, local arrays, atomics.

extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void block_sum(const float* x, float* out, int n) {
  __shared__ float partial[32];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[blockIdx.x * n + i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0.0f;
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  }
}

extern "C" __global__ void collatz(const unsigned* x, unsigned* steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = x[i], s = 0;
  while (v != 1) {
    if (v & 1) {
      v = 3 * v + 1;
      s += 1;
    } else {
      v /= 2;
      s += 1;
    }
  }
  steps[i] = s;
}

// Every lane takes the same lock: lanes of one warp spin on each other.
extern "C" __global__ void spin_lock(int* lock, volatile int* counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *counter = *counter + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

// The critical section lies behind the loop, where the lanes reconverge: the winner waits there for the others, which
// wait for the lock. This hangs on a GPU too.
extern "C" __global__ void hanging_lock(int* lock, volatile int* counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *counter = *counter + 1;
  atomicExch(lock, 0);
}

extern "C" __global__ void divide(const int* a, const int* b, int* q, int* r, unsigned* uq, unsigned* ur,
                                  int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  q[i] = a[i] / b[i];
  r[i] = a[i] % b[i];
  uq[i] = (unsigned)a[i] / (unsigned)b[i];
  ur[i] = (unsigned)a[i] % (unsigned)b[i];
}

extern "C" __global__ void jump_table(const int* op, int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = x[i];
  for (int k = 0; k < 4; ++k) {
    switch ((op[i] + k) & 15) {
    case 0: v = v * 3 + 1; break;
    case 1: v ^= 0x55aa; break;
    case 2: v -= k * v; break;
    case 3: v = __popc(v) + k; break;
    case 4: v = v << 3 | v >> 29; break;
    case 5: v = __brev(v); break;
    case 6: v = v / 7; break;
    case 7: v = max(v, 1000); break;
    case 8: v = min(v, -5); break;
    case 9: v = abs(v) + 2; break;
    case 10: v = __clz(v) * 17; break;
    case 11: v = __byte_perm(v, k, 0x3541); break;
    case 12: v = __mulhi(v, 123456789); break;
    case 13: v = ~v; break;
    case 14: v = v % 11; break;
    default: v += 77; break;
    }
  }
  x[i] = v;
}

extern "C" __global__ void local_array(const int* index, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int a[40];
  for (int k = 0; k < 40; ++k) a[k] = k * i;
  for (int k = 0; k < 20; ++k) a[index[(i + k) % n]] += k;
  int s = 0;
  for (int k = 0; k < 40; ++k) s = s * 31 + a[(index[i] + k) % 40];
  out[i] = s;
}

extern "C" __global__ void histogram(const unsigned char* data, unsigned* bins, int n) {
  __shared__ unsigned local[64];
  if (threadIdx.x < 64) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[data[i] & 63], 1);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

extern "C" __global__ void transpose(const float* in, float* out, int w, int h) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (x < w && y + k < h) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (x < h && y + k < w) out[(y + k) * h + x] = tile[threadIdx.x][threadIdx.y + k];
}

__constant__ float weights[16];
__device__ unsigned ticket = 5;
extern "C" __global__ void module_variables(float* out, unsigned* tickets) {
  out[threadIdx.x] = weights[threadIdx.x % 16] + weights[3];
  tickets[threadIdx.x] = atomicAdd(&ticket, 2u);
}
