// SPDX-License-Identifier: Apache-2.0
// y = A x for a sparse matrix in CSR. The host groups rows into blocks: many short rows are
// streamed together through a segmented reduction, a few long ones take a warp each, a very long
// one the whole CTA.

constexpr int kThreads = 128;
constexpr int kWarps = kThreads / 32;
constexpr int kStreamRows = 256; ///< most rows of a streamed block
constexpr unsigned kFull = 0xffffffffu;

struct RowBlock {
  int first_row;
  short rows;
  short kind; ///< 0 streamed, 1 a warp for each row, 2 the CTA for one row
};

template <class T>
__device__ __forceinline__ T warp_sum(T value) {
  for (int mask = 16; mask > 0; mask >>= 1) {
    value += __shfl_xor_sync(kFull, value, mask);
  }
  return value;
}

/// Sum of products of [begin, end) over `lanes` threads, of which this is number `lane`: up to the
/// first multiple of four one by one, then four at a time.
__device__ float dot_range(const float* __restrict__ values,
                           const int* __restrict__ columns,
                           const float* __restrict__ x,
                           int begin,
                           int end,
                           int lane,
                           int lanes) {
  float sum = 0.0f;
  const int aligned = min((begin + 3) & ~3, end);
  const int body = aligned + ((end - aligned) & ~3);
  if (begin + lane < aligned) {
    sum = values[begin + lane] * __ldg(x + columns[begin + lane]);
  }
  for (int i = aligned + 4 * lane; i < body; i += 4 * lanes) {
    const float4 v = *reinterpret_cast<const float4*>(values + i);
    const int4 c = *reinterpret_cast<const int4*>(columns + i);
    sum = fmaf(v.x, __ldg(x + c.x), sum);
    sum = fmaf(v.y, __ldg(x + c.y), sum);
    sum = fmaf(v.z, __ldg(x + c.z), sum);
    sum = fmaf(v.w, __ldg(x + c.w), sum);
  }
  if (body + lane < end) {
    sum = fmaf(values[body + lane], __ldg(x + columns[body + lane]), sum);
  }
  return sum;
}

/// The row of `first .. first + rows` that nonzero `i` belongs to: the last that starts at or
/// before it.
__device__ __forceinline__ int row_of(const int* starts, int rows, int i) {
  int low = 0;
  int high = rows;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (starts[middle] <= i) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Each warp takes 32 consecutive nonzeros at a time, sums runs of equal rows by shuffles, and the
/// last lane of each run adds to the row's sum.
__device__ void stream_block(const int* __restrict__ row_starts,
                             const int* __restrict__ columns,
                             const float* __restrict__ values,
                             const float* __restrict__ x,
                             float* __restrict__ y,
                             RowBlock block) {
  __shared__ int starts[kStreamRows + 1];
  __shared__ float sums[kStreamRows];
  const int lane = threadIdx.x % 32;
  for (int i = threadIdx.x; i <= block.rows; i += kThreads) {
    starts[i] = row_starts[block.first_row + i];
    if (i < block.rows) {
      sums[i] = 0.0f;
    }
  }
  __syncthreads();
  const int begin = starts[0];
  const int end = starts[block.rows];
  for (int base = begin + threadIdx.x / 32 * 32; base < end; base += kThreads) {
    const int i = base + lane;
    int row = -1;
    float product = 0.0f;
    if (i < end) {
      row = row_of(starts, block.rows, i);
      product = values[i] * __ldg(x + columns[i]);
    }
    const int previous = __shfl_up_sync(kFull, row, 1);
    const bool head = lane == 0 || previous != row;
    const unsigned heads = __ballot_sync(kFull, head);
    // Lanes since the head of this lane's run.
    const int distance = lane - (31 - __clz(heads & (0xffffffffu >> (31 - lane))));
#pragma unroll
    for (int delta = 1; delta < 32; delta <<= 1) {
      const float other = __shfl_up_sync(kFull, product, delta);
      if (distance >= delta) {
        product += other;
      }
    }
    const bool tail = lane == 31 || (heads >> (lane + 1) & 1u) != 0;
    if (tail && row >= 0) {
      atomicAdd(sums + row, product);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < block.rows; i += kThreads) {
    y[block.first_row + i] = sums[i];
  }
}

/// One CTA for each of `blocks`; `columns` and `values` are aligned to 16 bytes.
extern "C" __global__ void __launch_bounds__(kThreads)
    csr_adaptive_spmv(const RowBlock* __restrict__ blocks,
                      const int* __restrict__ row_starts,
                      const int* __restrict__ columns,
                      const float* __restrict__ values,
                      const float* __restrict__ x,
                      float* __restrict__ y) {
  const RowBlock block = blocks[blockIdx.x];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  switch (block.kind) {
  case 0:
    stream_block(row_starts, columns, values, x, y, block);
    break;
  case 1:
    for (int row = block.first_row + warp; row < block.first_row + block.rows; row += kWarps) {
      const float sum =
          warp_sum(dot_range(values, columns, x, row_starts[row], row_starts[row + 1], lane, 32));
      if (lane == 0) {
        y[row] = sum;
      }
    }
    break;
  default: {
    __shared__ float partial[kWarps];
    const int row = block.first_row;
    const float sum = warp_sum(
        dot_range(values, columns, x, row_starts[row], row_starts[row + 1], threadIdx.x, kThreads));
    if (lane == 0) {
      partial[warp] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      float total = 0.0f;
      for (const float p : partial) {
        total += p;
      }
      y[row] = total;
    }
  }
  }
}
