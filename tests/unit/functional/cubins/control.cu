// SPDX-License-Identifier: Apache-2.0
// Calls, warp collectives, asynchronous copies, named barriers, generic pointers, and kernels that fault.

typedef int (*Function)(int);
__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
__device__ __noinline__ int negate(int x) { return -x; }
__device__ Function functions[3] = {twice, square, negate};
extern "C" __global__ void function_pointers(const int* which, int* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = functions[which[i]](x[i]) + 1;
}

__device__ __noinline__ unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
extern "C" __global__ void recursion(unsigned* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = fibonacci(x[i]);
}

extern "C" __global__ void collectives(const unsigned* x, unsigned* out) {
  int i = threadIdx.x, lane = i & 31;
  unsigned v = x[i];
  unsigned* o = out + 10 * i;
  o[0] = __ballot_sync(0xffffffff, v & 1);
  o[1] = __any_sync(0xffffffff, v > 250) + 2 * __all_sync(0xffffffff, v < 256);
  o[2] = __shfl_sync(0xffffffff, v, (lane + 5) & 31);
  o[3] = __shfl_up_sync(0xffffffff, v, 3);
  o[4] = __shfl_down_sync(0xffffffff, v, 2, 16);
  o[5] = __shfl_xor_sync(0xffffffff, v, 7);
  o[6] = __match_any_sync(0xffffffff, v & 7);
  o[7] = __reduce_add_sync(0xffffffff, v);
  o[8] = __reduce_max_sync(0xffffffff, v);
  o[9] = 0;
  if (v & 1) o[9] = __ballot_sync(__activemask(), v & 2);
}

extern "C" __global__ void async_pipeline(const float4* in, float4* out, int tiles) {
  __shared__ float4 buffer[2][64];
  int t = threadIdx.x;
  unsigned s = (unsigned)__cvta_generic_to_shared(&buffer[0][t]);
  auto fetch = [&](int k) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(s + (k & 1) * 1024),
                 "l"(in + k * 64 + t));
    asm volatile("cp.async.commit_group;");
  };
  fetch(0);
  float4 sum = make_float4(0, 0, 0, 0);
  for (int k = 0; k < tiles; ++k) {
    if (k + 1 < tiles) {
      fetch(k + 1);
      asm volatile("cp.async.wait_group 1;");
    } else {
      asm volatile("cp.async.wait_group 0;");
    }
    __syncthreads();
    float4 v = buffer[k & 1][63 - t];
    sum.x += v.x;
    sum.y += v.y;
    sum.z += v.z;
    sum.w += v.w;
    __syncthreads();
  }
  out[t] = sum;
}

// Half of the warps produce, half consume, through named barriers.
extern "C" __global__ void producer_consumer(const int* in, int* out, int rounds) {
  __shared__ int slot[64];
  int t = threadIdx.x;
  if (t < 64) {
    int sum = 0;
    for (int r = 0; r < rounds; ++r) {
      asm volatile("bar.sync 1, 128;");
      sum += slot[t] * (r + 1);
      asm volatile("bar.arrive 2, 128;");
    }
    out[t] = sum;
  } else {
    for (int r = 0; r < rounds; ++r) {
      if (r > 0) asm volatile("bar.sync 2, 128;");
      slot[t - 64] = in[r * 64 + t - 64];
      __threadfence_block();
      asm volatile("bar.arrive 1, 128;");
    }
    asm volatile("bar.sync 2, 128;");
  }
}

extern "C" __global__ void barrier_reductions(const int* x, int* out) {
  int v = x[threadIdx.x];
  int count = __syncthreads_count(v > 3);
  int all = __syncthreads_and(v >= 0);
  int any = __syncthreads_or(v == 1000);
  out[threadIdx.x] = count * 4 + all * 2 + any;
}

// One generic pointer that is shared, local or global depending on the lane.
extern "C" __global__ void generic_pointers(int* global, int* out) {
  __shared__ int shared[64];
  int local[4] = {7, 8, 9, 10};
  int t = threadIdx.x;
  shared[t] = 100 + t;
  __syncthreads();
  int* p = t % 3 == 0 ? &shared[63 - t] : t % 3 == 1 ? &local[t & 3] : &global[t];
  *p += 1;
  __syncthreads();
  out[t] = *p + shared[t];
}

extern "C" __global__ void early_exit(int* out, int n) {
  if (threadIdx.x >= n) return;
  __syncthreads();
  out[threadIdx.x] = threadIdx.x + 1;
}

// Odd and even lanes arrive at the barrier apart.
extern "C" __global__ void divergent_barrier(int* out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t * n;
  if (t & 1) {
    for (int i = 0; i < (t & 7); ++i) s[t] += i * n;
    asm volatile("barrier.sync 1;");
    out[t] = s[63 - t];
  } else {
    asm volatile("barrier.sync 1;");
    out[t] = s[63 - t] * 2;
  }
}

extern "C" __global__ void out_of_bounds(float* x, int n) { x[threadIdx.x + n] = 1.0f; }

extern "C" __global__ void misaligned(char* x, int* out) {
  out[threadIdx.x] = *(int*)(x + 4 * threadIdx.x + 2);
}

extern "C" __global__ void shared_out_of_bounds(int* out, int index) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = dynamic[threadIdx.x + index];
}

extern "C" __global__ void traps(int* x) {
  if (x[threadIdx.x] == 3) __trap();
  x[threadIdx.x] = 1;
}

extern "C" __global__ void never_ends(volatile int* flag) {
  while (*flag == 0) {
  }
}

// Warp 0 waits at a barrier that nobody else comes to.
extern "C" __global__ void deadlock(int* out) {
  if (threadIdx.x < 32) asm volatile("bar.sync 3, 64;");
  else asm volatile("bar.sync 4, 64;");
  out[threadIdx.x] = 1;
}
