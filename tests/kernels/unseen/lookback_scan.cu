// SPDX-License-Identifier: Apache-2.0
// Inclusive scan in one pass with decoupled look-back: a CTA takes the next tile, publishes its own
// sum, and a warp walks back over the descriptors of 32 tiles at a time until it meets a prefix.

using u32 = unsigned;
using u64 = unsigned long long;

constexpr int kThreads = 128;
constexpr int kItems = 8;
constexpr int kTile = kThreads * kItems;
constexpr int kWarps = kThreads / 32;
constexpr u32 kFull = 0xffffffffu;

/// Upper word of a tile's descriptor; the lower one is the value.
enum Status : u32 { kInvalid = 0, kAggregate = 1, kPrefix = 2 };

__device__ __forceinline__ u64 load_acquire(const u64* address) {
  u64 value;
  asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  return value;
}

__device__ __forceinline__ void store_release(u64* address, u64 value) {
  asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
}

__device__ __forceinline__ u64 descriptor(Status status, u32 value) {
  return static_cast<u64>(status) << 32 | value;
}

__device__ __forceinline__ u32 warp_inclusive_scan(u32 value) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int delta = 1; delta < 32; delta *= 2) {
    const u32 other = __shfl_up_sync(kFull, value, delta);
    value += lane >= delta ? other : 0;
  }
  return value;
}

/// Sum of all tiles before `tile`; called by one whole warp.
__device__ u32 look_back(const u64* descriptors, int tile) {
  const int lane = threadIdx.x % 32;
  u32 sum = 0;
  for (int nearest = tile - 1;; nearest -= 32) {
    const int index = nearest - lane;
    u64 seen = descriptor(kPrefix, 0);
    do {
      if (index >= 0) {
        seen = load_acquire(descriptors + index);
      }
    } while (__any_sync(kFull, seen >> 32 == kInvalid));
    const u32 prefixes = __ballot_sync(kFull, seen >> 32 == kPrefix);
    const int stop = prefixes != 0 ? __ffs(prefixes) - 1 : 31;
    const u32 value = lane <= stop ? static_cast<u32>(seen) : 0;
    sum += __reduce_add_sync(kFull, value);
    if (prefixes != 0) {
      return sum;
    }
  }
}

/// Rows of shared memory are padded by one word in 32, so that blocked reads do not conflict.
__device__ __forceinline__ int padded(int i) {
  return i + i / 32;
}

/// `next_tile` and all `descriptors` (one for each tile) start at zero.
extern "C" __global__ void __launch_bounds__(kThreads) lookback_scan(
    const u32* __restrict__ in, u32* __restrict__ out, int n, int* next_tile, u64* descriptors) {
  __shared__ u32 items[kTile + kTile / 32];
  __shared__ u32 warp_sums[kWarps];
  __shared__ u32 exclusive_prefix;
  __shared__ int shared_tile;

  if (threadIdx.x == 0) {
    shared_tile = atomicAdd(next_tile, 1);
  }
  __syncthreads();
  const int tile = shared_tile;
  const int first = tile * kTile;
  const int count = min(kTile, n - first);

#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = i * kThreads + threadIdx.x;
    items[padded(at)] = at < count ? in[first + at] : 0;
  }
  __syncthreads();

  u32 mine[kItems];
  u32 thread_sum = 0;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    thread_sum += items[padded(threadIdx.x * kItems + i)];
    mine[i] = thread_sum;
  }

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const u32 scanned = warp_inclusive_scan(thread_sum);
  if (lane == 31) {
    warp_sums[warp] = scanned;
  }
  __syncthreads();

  u32 before = scanned - thread_sum;
  u32 tile_sum = 0;
#pragma unroll
  for (int w = 0; w < kWarps; ++w) {
    before += w < warp ? warp_sums[w] : 0;
    tile_sum += warp_sums[w];
  }

  if (warp == 0) {
    u32 prefix = 0;
    if (tile == 0) {
      if (lane == 0) {
        store_release(descriptors, descriptor(kPrefix, tile_sum));
      }
    } else {
      if (lane == 0) {
        store_release(descriptors + tile, descriptor(kAggregate, tile_sum));
      }
      prefix = look_back(descriptors, tile);
      if (lane == 0) {
        store_release(descriptors + tile, descriptor(kPrefix, prefix + tile_sum));
      }
    }
    if (lane == 0) {
      exclusive_prefix = prefix;
    }
  }
  __syncthreads();

  before += exclusive_prefix;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    items[padded(threadIdx.x * kItems + i)] = before + mine[i];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = i * kThreads + threadIdx.x;
    if (at < count) {
      out[first + at] = items[padded(at)];
    }
  }
}
