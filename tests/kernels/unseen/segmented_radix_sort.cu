// SPDX-License-Identifier: Apache-2.0
// Stable sort of (float key, payload) pairs, one segment per CTA: least significant digit first,
// 8 bits a pass. Equal digits of a warp find each other with match_any.

using u32 = unsigned;

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kItems = 8;
constexpr int kCapacity = kThreads * kItems; ///< longest segment
constexpr int kDigitBits = 8;
constexpr int kDigits = 1 << kDigitBits;
constexpr u32 kFull = 0xffffffffu;
static_assert(kDigits == kThreads, "thread t scans digit t");

/// An order-preserving map of floats to unsigned integers, and back.
__device__ __forceinline__ u32 ordered_bits(float x) {
  const u32 bits = __float_as_uint(x);
  return bits ^ (static_cast<u32>(static_cast<int>(bits) >> 31) | 0x80000000u);
}

__device__ __forceinline__ float from_ordered_bits(u32 bits) {
  return __uint_as_float(bits ^ (bits & 0x80000000u ? 0x80000000u : 0xffffffffu));
}

__device__ __forceinline__ u32 lanes_below() {
  u32 mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}

struct Pair {
  u32 key;
  u32 payload;
};

struct Storage {
  union {
    u32 histogram[kWarps][kDigits];
    Pair pairs[kCapacity];
  };
  u32 scan[kWarps];
};

/// Exclusive sum over the CTA's threads.
__device__ u32 block_exclusive_scan(u32 value, u32 (&warp_sums)[kWarps]) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  u32 sum = value;
#pragma unroll
  for (int delta = 1; delta < 32; delta <<= 1) {
    const u32 other = __shfl_up_sync(kFull, sum, delta);
    if (lane >= delta) {
      sum += other;
    }
  }
  if (lane == 31) {
    warp_sums[warp] = sum;
  }
  __syncthreads();
  u32 base = 0;
  for (int w = 0; w < warp; ++w) {
    base += warp_sums[w];
  }
  return base + sum - value;
}

/// Position of each of this thread's items in the order of one digit. Item i of lane l of warp w
/// stands at w * 256 + i * 32 + l.
__device__ void
rank_digit(const Pair (&items)[kItems], u32 (&ranks)[kItems], int shift, Storage& storage) {
  const int warp = threadIdx.x / 32;
  for (int w = 0; w < kWarps; ++w) {
    storage.histogram[w][threadIdx.x] = 0;
  }
  __syncthreads();

  volatile u32* counts = storage.histogram[warp];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const u32 digit = items[i].key >> shift & (kDigits - 1);
    const u32 peers = __match_any_sync(kFull, digit);
    const u32 before = __popc(peers & lanes_below());
    const u32 start = counts[digit];
    __syncwarp();
    if (before == 0) {
      counts[digit] = start + __popc(peers);
    }
    __syncwarp();
    ranks[i] = start + before;
  }
  __syncthreads();

  // Thread t owns digit t: counts of the warps become offsets of the warps.
  u32 total = 0;
#pragma unroll
  for (int w = 0; w < kWarps; ++w) {
    const u32 count = storage.histogram[w][threadIdx.x];
    storage.histogram[w][threadIdx.x] = total;
    total += count;
  }
  const u32 base = block_exclusive_scan(total, storage.scan);
#pragma unroll
  for (int w = 0; w < kWarps; ++w) {
    storage.histogram[w][threadIdx.x] += base;
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    ranks[i] += storage.histogram[warp][items[i].key >> shift & (kDigits - 1)];
  }
  __syncthreads();
}

/// Segment b is [offsets[b], offsets[b + 1]) and has at most kCapacity pairs. Sorts in place.
extern "C" __global__ void __launch_bounds__(kThreads)
    segmented_radix_sort(float* keys, u32* payloads, const int* __restrict__ offsets) {
  __shared__ Storage storage;
  const int first = offsets[blockIdx.x];
  const int count = offsets[blockIdx.x + 1] - first;
  if (count <= 1) {
    return;
  }
  const int mine = threadIdx.x / 32 * 32 * kItems + threadIdx.x % 32;

  Pair items[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = mine + i * 32;
    items[i] = {0xffffffffu, 0};
    if (at < count) {
      items[i] = {ordered_bits(keys[first + at]), payloads[first + at]};
    }
  }

#pragma unroll 1
  for (int shift = 0; shift < 32; shift += kDigitBits) {
    u32 ranks[kItems];
    rank_digit(items, ranks, shift, storage);
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      storage.pairs[ranks[i]] = items[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      items[i] = storage.pairs[mine + i * 32];
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = mine + i * 32;
    if (at < count) {
      keys[first + at] = from_ordered_bits(items[i].key);
      payloads[first + at] = items[i].payload;
    }
  }
}
