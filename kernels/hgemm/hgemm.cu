// SPDX-License-Identifier: Apache-2.0
//
// C[m][n] = sum over k of A[m][k] * B[k][n] on tensor cores: FP16 factors, FP32 sums. All three
// matrices are row-major; A and B are given as vectors of 8 halves.
//
// A block computes a tile of BLOCK_M x BLOCK_N elements in steps of BLOCK_K along k, with
// WARPS_M x WARPS_N warps that have equal parts of it. Tiles of A and B go from global to shared
// memory past the registers (cp.async), STAGES of them in flight or in use, and from there to the
// fragments of mma.m16n8k16 (ldmatrix). Tunable parameters, all given as macros:
//   BLOCK_M, BLOCK_N, BLOCK_K   tile of a block
//   WARPS_M, WARPS_N            warps along m and n
//   STAGES                      tiles of A and B in shared memory; 2: double buffering
//   SWIZZLE                     1: permute the 16-byte chunks of a row so that ldmatrix has no bank
//                               conflicts; 0: store them in order
// The sizes must be multiples of the tile.

#define THREADS (WARPS_M * WARPS_N * 32)
#define WARP_M (BLOCK_M / WARPS_M)
#define WARP_N (BLOCK_N / WARPS_N)
// Of one mma: 16 x 8 elements of C, 16 of k.
#define M_FRAGMENTS (WARP_M / 16)
#define N_FRAGMENTS (WARP_N / 8)
// Vectors of 8 halves: 16 bytes, what cp.async copies and what a row of ldmatrix is.
#define A_CHUNKS (BLOCK_M * BLOCK_K / 8)
#define B_CHUNKS (BLOCK_K * BLOCK_N / 8)

typedef uint4 Chunk;

// Where chunk `column` of a row lies in shared memory. Eight rows of one column, which ldmatrix
// reads at once, fall into the eight 16-byte groups of banks.
template <int ROW_CHUNKS>
__device__ __forceinline__ int place(int row, int column) {
#if SWIZZLE == 1
  constexpr int kRowsPerLine = ROW_CHUNKS < 8 ? 8 / ROW_CHUNKS : 1;
  constexpr int kMask = (ROW_CHUNKS < 8 ? ROW_CHUNKS : 8) - 1;
  return row * ROW_CHUNKS + (column ^ (row / kRowsPerLine & kMask));
#else
  return row * ROW_CHUNKS + column;
#endif
}

__device__ __forceinline__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Starts the copy of a tile whose rows have ROW_CHUNKS chunks, of rows of `row_stride` chunks.
template <int CHUNKS, int ROW_CHUNKS>
__device__ __forceinline__ void copy_tile(Chunk* tile, const Chunk* from, int row_stride) {
#pragma unroll
  for (int i = 0; i < CHUNKS / THREADS; i++) {
    const int chunk = threadIdx.x + i * THREADS;
    const int row = chunk / ROW_CHUNKS;
    const int column = chunk % ROW_CHUNKS;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     shared_address(tile + place<ROW_CHUNKS>(row, column))),
                 "l"(from + row * row_stride + column));
  }
}

__device__ __forceinline__ void load_matrices(unsigned (&to)[4], const Chunk* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row)));
}
__device__ __forceinline__ void load_transposed(unsigned (&to)[4], const Chunk* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row)));
}
__device__ __forceinline__ void
multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

extern "C" __global__ void __launch_bounds__(THREADS) hgemm_kernel(int size_n,
                                                                   int size_k,
                                                                   const Chunk* __restrict__ a,
                                                                   const Chunk* __restrict__ b,
                                                                   float* __restrict__ c) {
  extern __shared__ Chunk tiles[];
  Chunk* const tiles_a = tiles;
  Chunk* const tiles_b = tiles + STAGES * A_CHUNKS;

  const int block_m = blockIdx.y * BLOCK_M;
  const int block_n = blockIdx.x * BLOCK_N;
  const int lane = threadIdx.x % 32;
  const int warp_m = threadIdx.x / 32 / WARPS_N * WARP_M;
  const int warp_n = threadIdx.x / 32 % WARPS_N * WARP_N;
  const int a_stride = size_k / 8;
  const int b_stride = size_n / 8;
  const Chunk* const from_a = a + block_m * a_stride;
  const Chunk* const from_b = b + block_n / 8;
  const int steps = size_k / BLOCK_K;

  // A group of copies for each step, empty ones at the end, so that "all but the newest STAGES - 2"
  // always means the tile that is needed next.
  const auto start_step = [&](int step) {
    if (step < steps) {
      const int stage = step % STAGES;
      copy_tile<A_CHUNKS, BLOCK_K / 8>(tiles_a + stage * A_CHUNKS, from_a + step * (BLOCK_K / 8),
                                       a_stride);
      copy_tile<B_CHUNKS, BLOCK_N / 8>(tiles_b + stage * B_CHUNKS,
                                       from_b + step * BLOCK_K * b_stride, b_stride);
    }
    asm volatile("cp.async.commit_group;");
  };

  float sum[M_FRAGMENTS][N_FRAGMENTS][4];
#pragma unroll
  for (int m = 0; m < M_FRAGMENTS; m++) {
#pragma unroll
    for (int n = 0; n < N_FRAGMENTS; n++) {
#pragma unroll
      for (int i = 0; i < 4; i++) {
        sum[m][n][i] = 0.0f;
      }
    }
  }

#pragma unroll
  for (int step = 0; step < STAGES - 1; step++) {
    start_step(step);
  }
  for (int step = 0; step < steps; step++) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
    __syncthreads(); // this step's tiles are there, and nobody reads those of the step before
    start_step(step + STAGES - 1);
    const Chunk* const tile_a = tiles_a + step % STAGES * A_CHUNKS;
    const Chunk* const tile_b = tiles_b + step % STAGES * B_CHUNKS;
#pragma unroll
    for (int k = 0; k < BLOCK_K; k += 16) {
      unsigned part_a[M_FRAGMENTS][4];
      unsigned part_b[N_FRAGMENTS / 2][4];
#pragma unroll
      for (int m = 0; m < M_FRAGMENTS; m++) {
        load_matrices(part_a[m],
                      tile_a + place<BLOCK_K / 8>(warp_m + m * 16 + lane % 16, k / 8 + lane / 16));
      }
#pragma unroll
      for (int n = 0; n < N_FRAGMENTS / 2; n++) {
        load_transposed(part_b[n],
                        tile_b + place<BLOCK_N / 8>(k + lane % 16, warp_n / 8 + n * 2 + lane / 16));
      }
#pragma unroll
      for (int m = 0; m < M_FRAGMENTS; m++) {
#pragma unroll
        for (int n = 0; n < N_FRAGMENTS; n++) {
          multiply(sum[m][n], part_a[m], part_b[n / 2][n % 2 * 2], part_b[n / 2][n % 2 * 2 + 1]);
        }
      }
    }
  }

  // A lane has two neighbours of row lane / 4 and two of the row 8 below.
#pragma unroll
  for (int m = 0; m < M_FRAGMENTS; m++) {
    const int row = block_m + warp_m + m * 16 + lane / 4;
#pragma unroll
    for (int n = 0; n < N_FRAGMENTS; n++) {
      float* const to = c + row * size_n + block_n + warp_n + n * 8 + lane % 4 * 2;
      *reinterpret_cast<float2*>(to) = float2{sum[m][n][0], sum[m][n][1]};
      *reinterpret_cast<float2*>(to + 8 * size_n) = float2{sum[m][n][2], sum[m][n][3]};
    }
  }
}
