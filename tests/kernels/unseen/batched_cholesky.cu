// SPDX-License-Identifier: Apache-2.0
// Cholesky factors of many 16 x 16 double matrices, and the solution of one system with each: one
// warp for a matrix, all of it in registers, exchanged by shuffles.

constexpr int kOrder = 16;
constexpr int kWarpsPerBlock = 4;
constexpr int kColumns = kOrder / 2; ///< of a lane
constexpr unsigned kFull = 0xffffffffu;

/// Lane l holds columns [8 (l / 16), 8 (l / 16) + 8) of row l % 16.
struct Tile {
  double a[kColumns];

  /// Element (row, column); `column` is known when this is compiled, `row` may differ by lane.
  __device__ __forceinline__ double get(int row, int column) const {
    return __shfl_sync(kFull, a[column % kColumns], column / kColumns * kOrder + row);
  }
};

/// Sum over the lanes of one half of the warp.
__device__ __forceinline__ double half_warp_sum(double value) {
#pragma unroll
  for (int mask = kOrder / 2; mask > 0; mask /= 2) {
    value += __shfl_xor_sync(kFull, value, mask, kOrder);
  }
  return value;
}

/// Replaces the lower triangle by the factor. Returns zero, or the order of the first leading minor
/// that is not positive.
__device__ __forceinline__ int factorise(Tile& tile, int row, int first_column) {
#pragma unroll
  for (int k = 0; k < kOrder; ++k) {
    const double pivot = tile.get(k, k);
    if (!(pivot > 0.0)) {
      return k + 1;
    }
    const double diagonal = sqrt(pivot);
    const double below = tile.get(row, k) / diagonal;
    const double mine = row == k ? diagonal : below;
    if (first_column == k / kColumns * kColumns) {
      tile.a[k % kColumns] = mine;
    }
#pragma unroll
    for (int j = 0; j < kColumns; ++j) {
      const int column = first_column + j;
      const double theirs = __shfl_sync(kFull, mine, column);
      if (column > k && row >= column) {
        tile.a[j] = fma(-mine, theirs, tile.a[j]);
      }
    }
  }
  return 0;
}

/// Solves L L' x = b; lane l gives element l % 16 of b and gets that of x.
__device__ __forceinline__ double solve(const Tile& tile, int row, double b) {
#pragma unroll
  for (int k = 0; k < kOrder; ++k) {
    const double mine = tile.get(row, k);
    const double z = __shfl_sync(kFull, b / mine, k);
    if (row == k) {
      b = z;
    } else if (row > k) {
      b = fma(-mine, z, b);
    }
  }
#pragma unroll
  for (int k = kOrder - 1; k >= 0; --k) {
    const double mine = tile.get(row, k);
    const double sum = half_warp_sum(row > k ? mine * b : 0.0);
    if (row == k) {
      b = (b - sum) / mine;
    }
  }
  return b;
}

/// `matrices` is [batch][16][16], aligned to 16 bytes; only lower triangles are changed. `rhs`
/// [batch][16] becomes the solutions. A matrix that is not positive definite and its right-hand
/// side stay as they are, and `info` tells the order of the minor.
extern "C" __global__ void __launch_bounds__(kWarpsPerBlock * 32)
    batched_cholesky(double* matrices, double* rhs, int* info, int batch) {
  const int matrix = blockIdx.x * kWarpsPerBlock + threadIdx.x / 32;
  if (matrix >= batch) {
    return;
  }
  const int lane = threadIdx.x % 32;
  const int row = lane % kOrder;
  const int first_column = lane / kOrder * kColumns;
  double* mine = matrices + (static_cast<size_t>(matrix) * kOrder + row) * kOrder + first_column;

  Tile tile;
#pragma unroll
  for (int j = 0; j < kColumns; j += 2) {
    const double2 pair = *reinterpret_cast<const double2*>(mine + j);
    tile.a[j] = pair.x;
    tile.a[j + 1] = pair.y;
  }
  const int failed = factorise(tile, row, first_column);
  if (lane == 0) {
    info[matrix] = failed;
  }
  if (failed != 0) {
    return;
  }
#pragma unroll
  for (int j = 0; j < kColumns; ++j) {
    if (first_column + j <= row) {
      mine[j] = tile.a[j];
    }
  }
  const double x = solve(tile, row, rhs[matrix * kOrder + row]);
  if (lane < kOrder) {
    rhs[matrix * kOrder + row] = x;
  }
}
