// SPDX-License-Identifier: Apache-2.0
// out = gelu(A B + bias) for bfloat16 row-major A [m, k], B [k, n]: a ring of three stages filled
// by asynchronous copies, swizzled shared memory, mma.sync, and an epilogue that goes through
// shared memory to store 16 bytes a thread.
#include <cuda_bf16.h>
#include <cuda_pipeline.h>

using u32 = unsigned;

constexpr int kTileM = 64;
constexpr int kTileN = 64;
constexpr int kTileK = 32;
constexpr int kStages = 3;
constexpr int kThreads = 128; ///< 2 x 2 warps of 32 x 32
constexpr int kAStage = kTileM * kTileK;
constexpr int kBStage = kTileK * kTileN;

/// Chunks of 8 elements are permuted so that eight rows of one column of chunks lie in different
/// banks: rows of A have 4 chunks, two rows make 128 bytes; rows of B have 8.
template <int kColumns>
__device__ __forceinline__ int swizzle(int row, int chunk) {
  constexpr int kChunks = kColumns / 8;
  constexpr int kRowsPerLine = 8 / kChunks;
  return row * kChunks + (chunk ^ (row / kRowsPerLine % kChunks));
}

template <int kRows, int kColumns>
__device__ __forceinline__ void load_tile(__nv_bfloat16* tile,
                                          const __nv_bfloat16* matrix,
                                          int row0,
                                          int column0,
                                          int rows,
                                          int columns) {
  constexpr int kChunks = kColumns / 8;
#pragma unroll
  for (int i = threadIdx.x; i < kRows * kChunks; i += kThreads) {
    const int row = i / kChunks;
    const int chunk = i % kChunks;
    const bool valid = row0 + row < rows && column0 + chunk * 8 < columns;
    const __nv_bfloat16* from =
        valid ? matrix + static_cast<size_t>(row0 + row) * columns + column0 + chunk * 8 : matrix;
    __pipeline_memcpy_async(tile + swizzle<kColumns>(row, chunk) * 8, from, 16, valid ? 0 : 16);
  }
}

__device__ __forceinline__ void load_matrices(u32 (&r)[4], const __nv_bfloat16* address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(static_cast<u32>(__cvta_generic_to_shared(address))));
}

__device__ __forceinline__ void load_matrices_transposed(u32 (&r)[4],
                                                         const __nv_bfloat16* address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(static_cast<u32>(__cvta_generic_to_shared(address))));
}

__device__ __forceinline__ void multiply_add(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ float tanh_fast(float x) {
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

__device__ __forceinline__ float gelu(float x) {
  const float inner = 0.7978845608f * fmaf(0.044715f * x * x, x, x);
  return 0.5f * x * (1.0f + tanh_fast(inner));
}

__device__ __forceinline__ void multiply_stage(float (&acc)[2][4][4],
                                               const __nv_bfloat16* a_tile,
                                               const __nv_bfloat16* b_tile,
                                               int warp_m,
                                               int warp_n) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < kTileK / 16; ++k) {
    u32 a[2][4];
    u32 b[2][4];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int row = warp_m * 32 + i * 16 + lane % 16;
      load_matrices(a[i], a_tile + swizzle<kTileK>(row, k * 2 + lane / 16) * 8);
    }
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      const int row = k * 16 + lane % 16;
      load_matrices_transposed(b[j],
                               b_tile + swizzle<kTileN>(row, warp_n * 4 + j * 2 + lane / 16) * 8);
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        multiply_add(acc[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
      }
    }
  }
}

/// Leaves the CTA's results in `tile` [kTileM][kTileN], swizzled like B.
__device__ __forceinline__ void finish(const float (&acc)[2][4][4],
                                       __nv_bfloat16* tile,
                                       const __nv_bfloat16* bias,
                                       int warp_m,
                                       int warp_n,
                                       int columns_left) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const int column = warp_n * 32 + j * 8 + lane % 4 * 2;
    float2 shift = make_float2(0.0f, 0.0f);
    if (column < columns_left) {
      shift = __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(bias + column));
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int row = warp_m * 32 + i * 16 + half * 8 + lane / 4;
        const float x = gelu(acc[i][j][2 * half] + shift.x);
        const float y = gelu(acc[i][j][2 * half + 1] + shift.y);
        __nv_bfloat16* to = tile + swizzle<kTileN>(row, column / 8) * 8 + column % 8;
        *reinterpret_cast<__nv_bfloat162*>(to) = __floats2bfloat162_rn(x, y);
      }
    }
  }
}

/// n and k are multiples of 8, all pointers aligned to 16 bytes; grid (ceil(n / 64), ceil(m / 64)).
extern "C" __global__ void __launch_bounds__(kThreads)
    gemm_bias_gelu(const __nv_bfloat16* __restrict__ a,
                   const __nv_bfloat16* __restrict__ b,
                   const __nv_bfloat16* __restrict__ bias,
                   __nv_bfloat16* __restrict__ out,
                   int m,
                   int n,
                   int k) {
  __shared__ __align__(128) __nv_bfloat16 ring[kStages * (kAStage + kBStage)];
  __nv_bfloat16* a_ring = ring;
  __nv_bfloat16* b_ring = ring + kStages * kAStage;
  const int row0 = blockIdx.y * kTileM;
  const int column0 = blockIdx.x * kTileN;
  const int warp_m = threadIdx.x / 64;
  const int warp_n = threadIdx.x / 32 % 2;
  const int steps = (k + kTileK - 1) / kTileK;

  const auto fetch = [&](int step) {
    if (step < steps) {
      const int stage = step % kStages;
      load_tile<kTileM, kTileK>(a_ring + stage * kAStage, a, row0, step * kTileK, m, k);
      load_tile<kTileK, kTileN>(b_ring + stage * kBStage, b, step * kTileK, column0, k, n);
    }
    __pipeline_commit();
  };

  float acc[2][4][4] = {};
  for (int step = 0; step < kStages - 1; ++step) {
    fetch(step);
  }
  for (int step = 0; step < steps; ++step) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    fetch(step + kStages - 1);
    const int stage = step % kStages;
    multiply_stage(acc, a_ring + stage * kAStage, b_ring + stage * kBStage, warp_m, warp_n);
  }
  __pipeline_wait_prior(0);
  __syncthreads();

  finish(acc, ring, bias + column0, warp_m, warp_n, n - column0);
  __syncthreads();
#pragma unroll
  for (int i = threadIdx.x; i < kTileM * kTileN / 8; i += kThreads) {
    const int row = i / (kTileN / 8);
    const int chunk = i % (kTileN / 8);
    if (row0 + row < m && column0 + chunk * 8 < n) {
      *reinterpret_cast<uint4*>(out + static_cast<size_t>(row0 + row) * n + column0 + chunk * 8) =
          *reinterpret_cast<const uint4*>(ring + swizzle<kTileN>(row, chunk) * 8);
    }
  }
}
