// SPDX-License-Identifier: Apache-2.0
// C++ wmma API gemm
#include <mma.h>
#include <cuda_bf16.h>
using namespace nvcuda;
#ifndef WARPS
#define WARPS 4
#endif
#ifndef WT
#define WT 2
#endif
extern "C" __global__ void wmma_f16(const half* __restrict__ A, const half* __restrict__ B, float* C, int M, int N, int K) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c[WT];
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, r = (w / (N / 16)) * 16, col = (w % (N / 16)) * 16 * WT;
#pragma unroll
  for (int i = 0; i < WT; i++) wmma::fill_fragment(c[i], 0.f);
  for (int k = 0; k < K; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a; wmma::load_matrix_sync(a, A + r * K + k, K);
#pragma unroll
    for (int i = 0; i < WT; i++) { wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b; wmma::load_matrix_sync(b, B + k * N + col + i * 16, N); wmma::mma_sync(c[i], a, b, c[i]); }
  }
#pragma unroll
  for (int i = 0; i < WT; i++) wmma::store_matrix_sync(C + r * N + col + i * 16, c[i], N, wmma::mem_row_major);
}
extern "C" __global__ void wmma_f16_shared(const half* A, const half* B, half* C, int N, int K) {
  __shared__ half sa[WARPS * 16 * 24], sb[WARPS * 16 * 24];
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> c; wmma::fill_fragment(c, __float2half(0.f));
  int w = threadIdx.x / 32;
  for (int k = 0; k < K; k += 16) {
    for (int i = threadIdx.x; i < WARPS * 256; i += WARPS * 32) { sa[(i / 16) * 24 + i % 16] = A[i / 16 * K + k + i % 16]; sb[(i / 16) * 24 + i % 16] = B[i / 16 * K + k + i % 16]; }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a; wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
    wmma::load_matrix_sync(a, sa + w * 16 * 24, 24); wmma::load_matrix_sync(b, sb + (w ^ 1) * 16 * 24, 24); wmma::mma_sync(c, a, b, c);
    __syncthreads();
  }
  wmma::store_matrix_sync(C + w * 256, c, 16, wmma::mem_col_major);
}
extern "C" __global__ void wmma_bf16(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C, int K) {
  wmma::fragment<wmma::accumulator, 32, 8, 16, float> c; wmma::fill_fragment(c, 0.f);
  for (int k = 0; k < K; k += 16) {
    wmma::fragment<wmma::matrix_a, 32, 8, 16, __nv_bfloat16, wmma::col_major> a; wmma::fragment<wmma::matrix_b, 32, 8, 16, __nv_bfloat16, wmma::col_major> b;
    wmma::load_matrix_sync(a, A + k * 32, 32); wmma::load_matrix_sync(b, B + k, K); wmma::mma_sync(c, a, b, c);
  }
  for (int i = 0; i < c.num_elements; i++) c.x[i] = c.x[i] > 0 ? c.x[i] : 0.1f * c.x[i];
  wmma::store_matrix_sync(C, c, 8, wmma::mem_row_major);
}
extern "C" __global__ void wmma_tf32(const float* A, const float* B, float* C, int K) {
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> c; wmma::fill_fragment(c, 0.f);
  for (int k = 0; k < K; k += 8) {
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a; wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> b;
    wmma::load_matrix_sync(a, A + k, K); wmma::load_matrix_sync(b, B + k, K);
    for (int i = 0; i < a.num_elements; i++) a.x[i] = wmma::__float_to_tf32(a.x[i]);
    for (int i = 0; i < b.num_elements; i++) b.x[i] = wmma::__float_to_tf32(b.x[i]);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C, c, 16, wmma::mem_row_major);
}
extern "C" __global__ void wmma_s8(const signed char* A, const signed char* B, int* C, int K) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> c; wmma::fill_fragment(c, 0);
  for (int k = 0; k < K; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a; wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
    wmma::load_matrix_sync(a, A + k, K); wmma::load_matrix_sync(b, B + k, K); wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C, c, 16, wmma::mem_row_major);
}
extern "C" __global__ void wmma_f64(const double* A, const double* B, double* C, int K) {
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> c; wmma::fill_fragment(c, 0.0);
  for (int k = 0; k < K; k += 4) {
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> a; wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> b;
    wmma::load_matrix_sync(a, A + k, K); wmma::load_matrix_sync(b, B + k, K); wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C, c, 8, wmma::mem_row_major);
}
