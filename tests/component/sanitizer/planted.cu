// SPDX-License-Identifier: Apache-2.0
// One planted fault to a kernel; the comment FAULT marks the line that the sanitizer has to name.
#define N 256

extern "C" __global__ void out_of_bounds(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) {
    out[i] = 1.0f; // FAULT out_of_bounds
  }
}

extern "C" __global__ void misaligned(char* out, int n) {
  *(int*)(out + n) = 7; // FAULT misaligned
}

extern "C" __global__ void shared_out_of_bounds(float* out, int n) {
  __shared__ float tile[N];
  tile[threadIdx.x] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x + n]; // FAULT shared_out_of_bounds
}

extern "C" __global__ void read_race(float* out, int n) {
  __shared__ float tile[N];
  tile[threadIdx.x] = threadIdx.x;
  if (n != 0) {
    __syncthreads();
  }
  out[threadIdx.x] = tile[N - 1 - threadIdx.x]; // FAULT read_race
}

extern "C" __global__ void write_after_read_race(float* out, int n) {
  __shared__ float tile[N];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const float other = tile[N - 1 - threadIdx.x];
  if (n != 0) {
    __syncthreads();
  }
  tile[threadIdx.x] = other + 1.0f; // FAULT write_after_read_race
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 32];
}

extern "C" __global__ void write_write_race(float* out, int n) {
  __shared__ float last;
  if (threadIdx.x % 32 == n) {
    last = threadIdx.x; // FAULT write_write_race
  }
  __syncthreads();
  out[threadIdx.x] = last;
}

extern "C" __global__ void unfinished_copy(float* out, const float* in, int n) {
  __shared__ float tile[N];
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x));
  asm volatile("cp.async.commit_group;");
  if (n != 0) {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
  }
  out[threadIdx.x] = tile[threadIdx.x]; // FAULT unfinished_copy
}

extern "C" __global__ void divergent_barrier(float* out, int n) {
  __shared__ float tile[N];
  tile[threadIdx.x] = 2.0f;
  if ((threadIdx.x & 1) == n) {
    __syncthreads(); // FAULT divergent_barrier
  } else {
    out[threadIdx.x] = 1.0f;
    __syncthreads();
  }
  out[threadIdx.x] += tile[threadIdx.x ^ 32];
}

extern "C" __global__ void uninitialised_shared(float* out, int n) {
  __shared__ float tile[N];
  if (threadIdx.x != n) {
    tile[threadIdx.x] = 1.0f;
  }
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1]; // FAULT uninitialised_shared
}

// Half of the warps store nothing; without the barrier the others race as well.
extern "C" __global__ void half_stored(float* out, int n) {
  __shared__ float tile[N];
  if (threadIdx.x >= 32) {
    tile[threadIdx.x] = 1.0f;
  }
  if (n != 0) {
    __syncthreads();
  }
  out[threadIdx.x] = tile[threadIdx.x ^ 33]; // FAULT half_stored
}

// A plain store over an asynchronous copy of another warp, of the value that lay there before.
extern "C" __global__ void stored_over_copy(float* out, const float* in, int n) {
  __shared__ float tile[32];
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = 0.0f;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x));
    asm volatile("cp.async.wait_all;" ::: "memory");
  } else {
    tile[threadIdx.x - 32] = 0.0f; // FAULT stored_over_copy
  }
  __syncthreads();
  out[threadIdx.x & 31] = tile[threadIdx.x & 31] + n;
}

extern "C" __global__ void uninitialised_local(int* out, int n) {
  int stack[32];
  for (int i = 0; i < n; ++i) {
    stack[(i * 7 + threadIdx.x) & 31] = i;
  }
  out[threadIdx.x] = stack[(n * 7 + threadIdx.x) & 31]; // FAULT uninitialised_local
}

extern "C" __global__ void makes_infinity(float* out, const float* in, int n) {
  __shared__ float tile[N];
  const float x = in[threadIdx.x];
  const float y = x * x; // FAULT makes_infinity
  tile[threadIdx.x] = y;
  __syncthreads();
  const float z = __shfl_xor_sync(~0u, tile[threadIdx.x ^ 32], 1);
  out[threadIdx.x] = n > 0 ? z : 0.0f;
}

extern "C" __global__ void overflows(double* out, const double* in, int n) {
  const double x = in[threadIdx.x];
  const double big = 1.0e308 * n;
  const double rest = x - 10.0 * big; // FAULT overflows
  out[threadIdx.x] = rest;
}

// Nothing is wrong with the rest.

// The slow paths of division and square root make infinities that nobody uses.
extern "C" __global__ void divides(float* out, const float* in, int n) {
  const float x = in[threadIdx.x];
  out[threadIdx.x] = sqrtf(x) + 1.0f / (x + 1.0e-40f * n + 1.0f) + x / 3.0e38f;
}

// A producer warp and a consumer warp meet at named barriers.
extern "C" __global__ void producer_consumer(float* out, int n) {
  __shared__ float slot[32];
  const int lane = threadIdx.x & 31;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x < 32) {
      slot[lane] = i * 32 + lane;
      asm volatile("bar.arrive 1, 64;" ::: "memory");
      asm volatile("bar.sync 2, 64;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      out[i * 32 + lane] = slot[31 - lane];
      asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
  }
}

// The mbarrier says when the copies of both warps are there.
extern "C" __global__ void copies_with_mbarrier(float* out, const float* in, int n) {
  __shared__ float tile[64];
  __shared__ unsigned long long barrier;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(64 * n) : "memory");
  }
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x));
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
  unsigned done = 0;
  while (done == 0) {
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(at)
                 : "memory");
  }
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// All threads store the same value; atomics do not race with each other; bytes of one word belong to
// two warps.
extern "C" __global__ void benign(int* out, int n) {
  __shared__ int flag;
  __shared__ int bins[8];
  __shared__ unsigned char bytes[8];
  if (threadIdx.x < 8) {
    bins[threadIdx.x] = 0;
  }
  flag = n;
  if (threadIdx.x % 32 == 0) {
    bytes[threadIdx.x / 32] = threadIdx.x;
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x & 7], 1);
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x & 7] + flag + bytes[threadIdx.x & 7];
}

// Threads that leave early are no divergence.
extern "C" __global__ void leaves_early(float* out, int n) {
  __shared__ float tile[N];
  if (threadIdx.x >= n) {
    return;
  }
  tile[threadIdx.x] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
