// SPDX-License-Identifier: Apache-2.0
// Causal attention, forward, for one head size: tensor cores through mma.sync, K and V double
// buffered with cp.async, rows swizzled in shared memory, softmax in one pass.
#include <cuda_fp16.h>
#include <math_constants.h>

using u32 = unsigned;

constexpr int kHead = 64; ///< elements of a row of Q, K, V
constexpr int kRows = 64; ///< queries of a CTA
constexpr int kKeys = 64; ///< keys of a step
constexpr int kWarps = 4; ///< 16 queries each
constexpr int kThreads = kWarps * 32;
constexpr int kTileHalves = kKeys * kHead;
constexpr float kLog2e = 1.4426950408889634f;
static_assert(kRows == kKeys && kRows == kWarps * 16, "tiles of Q, K and V are alike");

/// Address of element (row, column) of a tile; chunks of 16 bytes are permuted within a row.
__device__ __forceinline__ u32 swizzled(const __half* tile, int row, int column) {
  const int chunk = (column / 8) ^ (row % 8);
  return static_cast<u32>(__cvta_generic_to_shared(tile + row * kHead + chunk * 8 + column % 8));
}

/// Copies 16 bytes, or zeros if not `valid`.
__device__ __forceinline__ void copy_async(u32 to, const void* from, bool valid) {
  const int bytes = valid ? 16 : 0;
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(from),
               "r"(bytes)
               : "memory");
}

__device__ __forceinline__ void commit_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int kPending>
__device__ __forceinline__ void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

__device__ __forceinline__ void load_matrices(u32 (&r)[4], u32 address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address)
               : "memory");
}

__device__ __forceinline__ void load_matrices_transposed(u32 (&r)[4], u32 address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address)
               : "memory");
}

__device__ __forceinline__ void multiply_add(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ float exp2_fast(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

__device__ __forceinline__ u32 pack(float low, float high) {
  const __half2 both = __floats2half2_rn(low, high);
  return *reinterpret_cast<const u32*>(&both);
}

__device__ void load_tile(__half* tile, const __half* rows, int first, int length) {
#pragma unroll
  for (int i = threadIdx.x; i < kTileHalves / 8; i += kThreads) {
    const int row = i / (kHead / 8);
    const int column = i % (kHead / 8) * 8;
    const bool valid = first + row < length;
    const __half* from = rows + static_cast<size_t>(valid ? first + row : 0) * kHead + column;
    copy_async(swizzled(tile, row, column), from, valid);
  }
}

/// What a warp keeps of its 16 queries: the rows of lanes l / 4 and l / 4 + 8.
struct Accumulator {
  float out[kHead / 8][4];
  float maximum[2];
  float sum[2];
};

__device__ __forceinline__ void
scores(float (&s)[kKeys / 8][4], const u32 (&q)[kHead / 16][4], const __half* keys) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int n = 0; n < kKeys / 16; ++n) {
#pragma unroll
    for (int k = 0; k < kHead / 16; ++k) {
      u32 b[4];
      const int row = n * 16 + lane / 16 * 8 + lane % 8;
      load_matrices(b, swizzled(keys, row, k * 16 + lane / 8 % 2 * 8));
      multiply_add(s[2 * n], q[k], b[0], b[1]);
      multiply_add(s[2 * n + 1], q[k], b[2], b[3]);
    }
  }
}

__device__ __forceinline__ void
mask_scores(float (&s)[kKeys / 8][4], int first_query, int first_key, int length) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int n = 0; n < kKeys / 8; ++n) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int query = first_query + lane / 4 + e / 2 * 8;
      const int key = first_key + n * 8 + lane % 4 * 2 + e % 2;
      if (key > query || key >= length) {
        s[n][e] = -CUDART_INF_F;
      }
    }
  }
}

/// Turns scores into weights relative to the new maximum and rescales what there is.
__device__ __forceinline__ void
online_softmax(float (&s)[kKeys / 8][4], Accumulator& acc, float scale_log2) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float top = acc.maximum[half];
#pragma unroll
    for (int n = 0; n < kKeys / 8; ++n) {
      top = fmaxf(top, fmaxf(s[n][2 * half], s[n][2 * half + 1]));
    }
    top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 1));
    top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 2));
    const float offset = top * scale_log2;
    const float correction = exp2_fast(fmaf(acc.maximum[half], scale_log2, -offset));
    acc.maximum[half] = top;
    float sum = 0.0f;
#pragma unroll
    for (int n = 0; n < kKeys / 8; ++n) {
#pragma unroll
      for (int e = 2 * half; e < 2 * half + 2; ++e) {
        s[n][e] = exp2_fast(fmaf(s[n][e], scale_log2, -offset));
        sum += s[n][e];
      }
    }
    acc.sum[half] = acc.sum[half] * correction + sum;
#pragma unroll
    for (int n = 0; n < kHead / 8; ++n) {
      acc.out[n][2 * half] *= correction;
      acc.out[n][2 * half + 1] *= correction;
    }
  }
}

__device__ __forceinline__ void
add_values(Accumulator& acc, const float (&s)[kKeys / 8][4], const __half* values) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < kKeys / 16; ++k) {
    const u32 weights[4] = {pack(s[2 * k][0], s[2 * k][1]), pack(s[2 * k][2], s[2 * k][3]),
                            pack(s[2 * k + 1][0], s[2 * k + 1][1]),
                            pack(s[2 * k + 1][2], s[2 * k + 1][3])};
#pragma unroll
    for (int n = 0; n < kHead / 16; ++n) {
      u32 b[4];
      const int row = k * 16 + lane % 16;
      load_matrices_transposed(b, swizzled(values, row, n * 16 + lane / 16 * 8));
      multiply_add(acc.out[2 * n], weights, b[0], b[1]);
      multiply_add(acc.out[2 * n + 1], weights, b[2], b[3]);
    }
  }
}

__device__ __forceinline__ void
store_rows(const Accumulator& acc, __half* out, int first_query, int length) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float sum = acc.sum[half];
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    sum += __shfl_xor_sync(0xffffffffu, sum, 2);
    const float inverse = __fdividef(1.0f, sum);
    const int query = first_query + lane / 4 + half * 8;
    if (query < length) {
      __half* row = out + static_cast<size_t>(query) * kHead + lane % 4 * 2;
#pragma unroll
      for (int n = 0; n < kHead / 8; ++n) {
        *reinterpret_cast<__half2*>(row + n * 8) =
            __floats2half2_rn(acc.out[n][2 * half] * inverse, acc.out[n][2 * half + 1] * inverse);
      }
    }
  }
}

/// Q, K, V and O are [heads][length][kHead]; grid (ceil(length / kRows), heads), kThreads threads,
/// five tiles of dynamic shared memory.
extern "C" __global__ void __launch_bounds__(kThreads)
    flash_attention(const __half* __restrict__ q_all,
                    const __half* __restrict__ k_all,
                    const __half* __restrict__ v_all,
                    __half* __restrict__ o_all,
                    int length,
                    float scale) {
  extern __shared__ __align__(128) __half shared[];
  __half* q_tile = shared;
  __half* k_tiles = shared + kTileHalves;
  __half* v_tiles = shared + 3 * kTileHalves;
  const size_t head = static_cast<size_t>(blockIdx.y) * length * kHead;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int first_row = blockIdx.x * kRows;
  const int steps = (min(first_row + kRows, length) + kKeys - 1) / kKeys;

  load_tile(q_tile, q_all + head, first_row, length);
  load_tile(k_tiles, k_all + head, 0, length);
  load_tile(v_tiles, v_all + head, 0, length);
  commit_copies();

  u32 q[kHead / 16][4];
  Accumulator acc = {};
  acc.maximum[0] = acc.maximum[1] = -1e30f;
  for (int step = 0; step < steps; ++step) {
    const int stage = step % 2;
    if (step + 1 < steps) {
      load_tile(k_tiles + (stage ^ 1) * kTileHalves, k_all + head, (step + 1) * kKeys, length);
      load_tile(v_tiles + (stage ^ 1) * kTileHalves, v_all + head, (step + 1) * kKeys, length);
      commit_copies();
      wait_copies<1>();
    } else {
      wait_copies<0>();
    }
    __syncthreads();
    if (step == 0) {
#pragma unroll
      for (int k = 0; k < kHead / 16; ++k) {
        load_matrices(q[k], swizzled(q_tile, warp * 16 + lane % 16, k * 16 + lane / 16 * 8));
      }
    }
    float s[kKeys / 8][4] = {};
    scores(s, q, k_tiles + stage * kTileHalves);
    if (step + 1 == steps) {
      mask_scores(s, first_row + warp * 16, step * kKeys, length);
    }
    online_softmax(s, acc, scale * kLog2e);
    add_values(acc, s, v_tiles + stage * kTileHalves);
    __syncthreads();
  }
  store_rows(acc, o_all + head, first_row + warp * 16, length);
}
