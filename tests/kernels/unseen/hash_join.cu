// SPDX-License-Identifier: Apache-2.0
// Join of two relations that are already split into partitions: each CTA builds a hash table of its
// partition of R in shared memory (open addressing, 64-bit compare-and-swap) and probes it with the
// matching partition of S. Matches are appended with one atomic per group of converged lanes.

using u32 = unsigned;
using u64 = unsigned long long;

constexpr int kThreads = 192;
constexpr u32 kSlots = 2048;  ///< a power of two, more than the longest partition of R
constexpr u64 kEmpty = ~0ull; ///< no row of R has key and payload ~0

struct Row {
  u32 key;
  u32 payload;
};

/// A finalising mix of 32 bits.
__device__ __forceinline__ u32 mixed(u32 x) {
  x ^= x >> 15;
  x *= 0x2c1b3c6du;
  x ^= x >> 12;
  x *= 0x297a2d39u;
  return x ^ x >> 15;
}

__device__ __forceinline__ u64 packed(Row row) {
  return static_cast<u64>(row.key) << 32 | row.payload;
}

/// Takes a place after `*counter` for each converged lane that calls.
__device__ __forceinline__ u32 append(u32* counter) {
  const u32 active = __activemask();
  u32 below;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  const int leader = __ffs(active) - 1;
  u32 base = 0;
  if (static_cast<int>(threadIdx.x % 32) == leader) {
    base = atomicAdd(counter, __popc(active));
  }
  base = __shfl_sync(active, base, leader);
  return base + __popc(active & below);
}

/// Keys may repeat in R: every copy gets a slot. Returns the number of slots looked at.
__device__ u32 insert(u64* table, Row row) {
  u32 steps = 1;
  for (u32 slot = mixed(row.key) & (kSlots - 1);; slot = (slot + 1) & (kSlots - 1), ++steps) {
    if (atomicCAS(table + slot, kEmpty, packed(row)) == kEmpty) {
      return steps;
    }
  }
}

/// Partition b of R is [r_offsets[b], r_offsets[b + 1]), of S likewise. Writes (R payload, S
/// payload) of each match to `matches` in any order, counts them in `match_count` and the matches
/// of each row of S in `fan_out`; adds the lengths of all insertions to `insert_steps`.
extern "C" __global__ void __launch_bounds__(kThreads) hash_join(const Row* __restrict__ r,
                                                                 const int* __restrict__ r_offsets,
                                                                 const Row* __restrict__ s,
                                                                 const int* __restrict__ s_offsets,
                                                                 uint2* matches,
                                                                 u32 capacity,
                                                                 u32* match_count,
                                                                 unsigned char* fan_out,
                                                                 u64* insert_steps) {
  __shared__ u64 table[kSlots];
  __shared__ u32 steps;
  for (u32 i = threadIdx.x; i < kSlots; i += kThreads) {
    table[i] = kEmpty;
  }
  if (threadIdx.x == 0) {
    steps = 0;
  }
  __syncthreads();

  for (int i = r_offsets[blockIdx.x] + threadIdx.x; i < r_offsets[blockIdx.x + 1]; i += kThreads) {
    atomicAdd(&steps, insert(table, r[i]));
  }
  __syncthreads();

  for (int i = s_offsets[blockIdx.x] + threadIdx.x; i < s_offsets[blockIdx.x + 1]; i += kThreads) {
    const Row probe = s[i];
    u32 found = 0;
    u32 slot = mixed(probe.key) & (kSlots - 1);
    for (u64 entry = table[slot]; entry != kEmpty; entry = table[slot]) {
      if (static_cast<u32>(entry >> 32) == probe.key) {
        const u32 at = append(match_count);
        if (at < capacity) {
          matches[at] = make_uint2(static_cast<u32>(entry), probe.payload);
        }
        ++found;
      }
      slot = (slot + 1) & (kSlots - 1);
    }
    fan_out[i] = static_cast<unsigned char>(found);
  }
  if (threadIdx.x == 0) {
    atomicAdd(insert_steps, static_cast<u64>(steps));
  }
}
