// SPDX-License-Identifier: Apache-2.0
//
// 2D convolution of a single-precision image:
//   out[y][x] = sum over i, j of in[y + i][x + j] * w[i][j]
// The input is larger than the output by the filter size minus one in each direction.
//
// A thread computes tile_size_x * tile_size_y outputs that lie one thread block apart, so that the
// threads of a warp always touch neighbouring columns. Tunable parameters, all given as macros:
//   block_size_x, block_size_y   threads per block
//   tile_size_x, tile_size_y     outputs per thread
//   filter_width, filter_height  size of the filter
//   use_shmem    1: stage the block's input window in shared memory; 0: read global memory
//   use_padding  1: pad the rows of the window so that they start in different banks
//   use_cmem     1: weights from constant memory; 0: from the argument `filter`
//   read_only    1: global loads through __ldg

#ifndef image_width
#define image_width 4096
#endif
#ifndef image_height
#define image_height 4096
#endif
#ifndef use_shmem
#define use_shmem 1
#endif
#ifndef use_cmem
#define use_cmem 1
#endif

#define border_width (filter_width - 1)
#define border_height (filter_height - 1)
#define input_width (image_width + border_width)
#define input_height (image_height + border_height)
#define block_columns (block_size_x * tile_size_x)
#define block_rows (block_size_y * tile_size_y)
#define window_width (block_columns + border_width)
#define window_height (block_rows + border_height)

// Blocks stick out of the image only if they do not divide it.
#define is_ragged (image_width % block_columns != 0 || image_height % block_rows != 0)

#if use_padding == 1 && block_size_x % 32 != 0
#define padding_columns ((32 - (border_width + block_columns - block_size_x)) & 31)
#else
#define padding_columns 0
#endif

#if read_only == 1
#define load(pointer) __ldg(pointer)
#else
#define load(pointer) (*(pointer))
#endif

#if use_cmem == 1
#define weight(i, j) d_filter[(i)*filter_width + (j)]
#else
#define weight(i, j) load(filter + (i)*filter_width + (j))
#endif

#define max_filter_elements (33 * 33)
__constant__ float d_filter[max_filter_elements];

extern "C" __global__ void convolution_kernel(float* output, float* input, float* filter) {
  const int thread_x = threadIdx.x;
  const int thread_y = threadIdx.y;
  const int block_x = blockIdx.x * block_columns;
  const int block_y = blockIdx.y * block_rows;

#if use_shmem == 1
  __shared__ float window[window_height][window_width + padding_columns];
#pragma unroll
  for (int i = thread_y; i < window_height; i += block_size_y) {
#pragma unroll
    for (int j = thread_x; j < window_width; j += block_size_x) {
#if is_ragged
      const int y = block_y + i;
      const int x = block_x + j;
      window[i][j] = y < input_height && x < input_width ? load(input + y * input_width + x) : 0.0f;
#else
      window[i][j] = load(input + (block_y + i) * input_width + (block_x + j));
#endif
    }
  }
  __syncthreads();
#endif

  float sum[tile_size_y][tile_size_x];
#pragma unroll
  for (int ty = 0; ty < tile_size_y; ty++) {
#pragma unroll
    for (int tx = 0; tx < tile_size_x; tx++) {
      sum[ty][tx] = 0.0f;
    }
  }

#pragma unroll
  for (int i = 0; i < filter_height; i++) {
#pragma unroll
    for (int j = 0; j < filter_width; j++) {
#pragma unroll
      for (int ty = 0; ty < tile_size_y; ty++) {
#pragma unroll
        for (int tx = 0; tx < tile_size_x; tx++) {
#if use_shmem == 1
          sum[ty][tx] +=
              window[thread_y + ty * block_size_y + i][thread_x + tx * block_size_x + j] *
              weight(i, j);
#else
          const int y = block_y + thread_y + ty * block_size_y;
          const int x = block_x + thread_x + tx * block_size_x;
#if is_ragged
          // One test a tile output, not one a load: outputs outside the image are not summed.
          if (y < image_height && x < image_width) {
            sum[ty][tx] += load(input + (y + i) * input_width + (x + j)) * weight(i, j);
          }
#else
          sum[ty][tx] += load(input + (y + i) * input_width + (x + j)) * weight(i, j);
#endif
#endif
        }
      }
    }
  }

#pragma unroll
  for (int ty = 0; ty < tile_size_y; ty++) {
#pragma unroll
    for (int tx = 0; tx < tile_size_x; tx++) {
      const int y = block_y + thread_y + ty * block_size_y;
      const int x = block_x + thread_x + tx * block_size_x;
#if is_ragged
      if (y < image_height && x < image_width) {
        output[y * image_width + x] = sum[ty][tx];
      }
#else
      output[y * image_width + x] = sum[ty][tx];
#endif
    }
  }
}
