// SPDX-License-Identifier: Apache-2.0
//
// C[n][m] = alpha * sum over k of A[k][m] * B[k][n] + beta * C[n][m], FP32, row-major as indexed.
//
// A block of MDIMC x NDIMC threads computes a tile of MWG x NWG elements in steps of KWG along k.
// Each thread holds (MWG / MDIMC) x (NWG / NDIMC) sums in registers. Tunable parameters, all given
// as macros, with CLBlast's names:
//   MWG, NWG, KWG    tile of a block
//   MDIMC, NDIMC     threads of a block
//   SA, SB           1: stage the block's part of A (B) in shared memory; 0: read global memory
//   MDIMA, NDIMB     the block's threads along m (n) while they stage A (B)
//   KWI              steps along k that are unrolled
//   VWM, VWN         floats per access to A and C (B): 1, 2, 4 or 8
//   STRM, STRN       0: a thread's vectors lie side by side; 1: a block's width apart
// The sizes must be multiples of the tile.

#if PRECISION != 32
#error "only PRECISION 32 is implemented"
#endif

#define M_PER_THREAD (MWG / MDIMC)
#define N_PER_THREAD (NWG / NDIMC)
#define M_VECTORS (M_PER_THREAD / VWM)
#define N_VECTORS (N_PER_THREAD / VWN)
// Shape of the block while it loads.
#define KDIMA ((MDIMC * NDIMC) / MDIMA)
#define KDIMB ((MDIMC * NDIMC) / NDIMB)

// N floats that are accessed at once; 8 is two accesses of 16 bytes, the widest that there is.
template <int N>
struct alignas(N * 4 < 16 ? N * 4 : 16) Vector {
  float at[N];
};
typedef Vector<VWM> VectorM;
typedef Vector<VWN> VectorN;

template <class V>
__device__ __forceinline__ V load(const float* from) {
  return *reinterpret_cast<const V*>(from);
}

// The same from shared memory, in accesses as wide as the vector and no wider. Left to itself the
// compiler joins neighbouring ones: then VWM and VWN would mean nothing for the tiles, and kernels
// of VWM = VWN = 1 would take half of what was recorded of them (data/silicon/bat_gemm).
__device__ __forceinline__ unsigned shared_address(const float* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void load_shared(const float* from, Vector<1>& v) {
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v.at[0]) : "r"(shared_address(from)));
}
__device__ __forceinline__ void load_shared(const float* from, Vector<2>& v) {
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];"
               : "=f"(v.at[0]), "=f"(v.at[1])
               : "r"(shared_address(from)));
}
__device__ __forceinline__ void load_shared(const float* from, Vector<4>& v) {
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.at[0]), "=f"(v.at[1]), "=f"(v.at[2]), "=f"(v.at[3])
               : "r"(shared_address(from)));
}
__device__ __forceinline__ void load_shared(const float* from, Vector<8>& v) {
  Vector<4>* halves = reinterpret_cast<Vector<4>*>(&v);
  load_shared(from, halves[0]);
  load_shared(from + 4, halves[1]);
}

template <class V>
__device__ __forceinline__ void store(float* to, const V& v) {
  *reinterpret_cast<V*>(to) = v;
}

// First element, within the block's tile, of vector v of this thread.
__device__ __forceinline__ int m_of(int v) {
#if STRM == 0
  return threadIdx.x * M_PER_THREAD + v * VWM;
#else
  return (threadIdx.x + v * MDIMC) * VWM;
#endif
}
__device__ __forceinline__ int n_of(int v) {
#if STRN == 0
  return threadIdx.y * N_PER_THREAD + v * VWN;
#else
  return (threadIdx.y + v * NDIMC) * VWN;
#endif
}

// Copies a tile of KWG rows of WIDTH floats to shared memory, with ROW_THREADS threads along a row.
template <int WIDTH, int ROW_THREADS, int ROWS_AT_ONCE, class V, int VECTOR_WIDTH, int STRIDED>
__device__ __forceinline__ void stage(float* tile, const float* from, int row_stride) {
  const int thread = threadIdx.y * MDIMC + threadIdx.x;
  const int column_thread = thread % ROW_THREADS;
  const int row_thread = thread / ROW_THREADS;
  const int vectors = WIDTH / (ROW_THREADS * VECTOR_WIDTH);
#pragma unroll
  for (int r = 0; r < KWG / ROWS_AT_ONCE; r++) {
    const int row = STRIDED ? row_thread + r * ROWS_AT_ONCE : row_thread * (KWG / ROWS_AT_ONCE) + r;
#pragma unroll
    for (int v = 0; v < vectors; v++) {
      const int column =
          (STRIDED ? column_thread + v * ROW_THREADS : column_thread * vectors + v) * VECTOR_WIDTH;
      store(tile + row * WIDTH + column, load<V>(from + row * row_stride + column));
    }
  }
}

extern "C" __global__ void __launch_bounds__(MDIMC* NDIMC) sgemm_kernel(int size_m,
                                                                        int size_n,
                                                                        int size_k,
                                                                        float alpha,
                                                                        float beta,
                                                                        const float* __restrict__ a,
                                                                        const float* __restrict__ b,
                                                                        float* c) {
#if SA == 1
  __shared__ __align__(16) float tile_a[KWG * MWG];
#endif
#if SB == 1
  __shared__ __align__(16) float tile_b[KWG * NWG];
#endif
  const int block_m = blockIdx.x * MWG;
  const int block_n = blockIdx.y * NWG;

  float sum[N_PER_THREAD][M_PER_THREAD];
#pragma unroll
  for (int n = 0; n < N_PER_THREAD; n++) {
#pragma unroll
    for (int m = 0; m < M_PER_THREAD; m++) {
      sum[n][m] = 0.0f;
    }
  }

  for (int k_tile = 0; k_tile < size_k; k_tile += KWG) {
#if SA == 1
    stage<MWG, MDIMA, KDIMA, VectorM, VWM, STRM>(tile_a, a + k_tile * size_m + block_m, size_m);
#endif
#if SB == 1
    stage<NWG, NDIMB, KDIMB, VectorN, VWN, STRN>(tile_b, b + k_tile * size_n + block_n, size_n);
#endif
#if SA == 1 || SB == 1
    __syncthreads();
#endif
    for (int k_outer = 0; k_outer < KWG; k_outer += KWI) {
#pragma unroll
      for (int k_inner = 0; k_inner < KWI; k_inner++) {
        const int k = k_outer + k_inner;
        VectorM part_a[M_VECTORS];
        VectorN part_b[N_VECTORS];
#pragma unroll
        for (int v = 0; v < M_VECTORS; v++) {
#if SA == 1
          load_shared(tile_a + k * MWG + m_of(v), part_a[v]);
#else
          part_a[v] = load<VectorM>(a + (k_tile + k) * size_m + block_m + m_of(v));
#endif
        }
#pragma unroll
        for (int v = 0; v < N_VECTORS; v++) {
#if SB == 1
          load_shared(tile_b + k * NWG + n_of(v), part_b[v]);
#else
          part_b[v] = load<VectorN>(b + (k_tile + k) * size_n + block_n + n_of(v));
#endif
        }
#pragma unroll
        for (int n = 0; n < N_PER_THREAD; n++) {
#pragma unroll
          for (int m = 0; m < M_PER_THREAD; m++) {
            sum[n][m] += part_a[m / VWM].at[m % VWM] * part_b[n / VWN].at[n % VWN];
          }
        }
      }
    }
#if SA == 1 || SB == 1
    __syncthreads();
#endif
  }

#pragma unroll
  for (int n = 0; n < N_PER_THREAD; n++) {
    float* row = c + (block_n + n_of(n / VWN) + n % VWN) * size_m + block_m;
#pragma unroll
    for (int v = 0; v < M_VECTORS; v++) {
      VectorM old = load<VectorM>(row + m_of(v));
#pragma unroll
      for (int m = 0; m < VWM; m++) {
        old.at[m] = alpha * sum[n][v * VWM + m] + beta * old.at[m];
      }
      store(row + m_of(v), old);
    }
  }
}
