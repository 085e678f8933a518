// SPDX-License-Identifier: Apache-2.0
// register tiled sgemm, tunable
#ifndef BM
#define BM 64
#endif
#ifndef BN
#define BN 64
#endif
#ifndef BK
#define BK 8
#endif
#ifndef TM
#define TM 4
#endif
#ifndef TN
#define TN 4
#endif
#define NT ((BM / TM) * (BN / TN))
extern "C" __global__ void __launch_bounds__(NT) sgemm_tiled(int M, int N, int K, float alpha, const float* __restrict__ A, const float* __restrict__ B, float beta, float* C) {
  __shared__ float As[BK][BM], Bs[BK][BN];
  const int tid = threadIdx.x, tx = tid % (BN / TN), ty = tid / (BN / TN), row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  float acc[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK / 4; i += NT) {
      int r = i / (BK / 4), c = (i % (BK / 4)) * 4;
      float4 v = *(const float4*)&A[(size_t)(row0 + r) * K + k0 + c];
      As[c][r] = v.x; As[c + 1][r] = v.y; As[c + 2][r] = v.z; As[c + 3][r] = v.w;
    }
    for (int i = tid; i < BN * BK / 4; i += NT) {
      int r = i / (BN / 4), c = (i % (BN / 4)) * 4;
      *(float4*)&Bs[r][c] = *(const float4*)&B[(size_t)(k0 + r) * N + col0 + c];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; k++) {
      float a[TM], b[TN];
#pragma unroll
      for (int i = 0; i < TM; i += 4) *(float4*)&a[i] = *(float4*)&As[k][ty * TM + i];
#pragma unroll
      for (int i = 0; i < TN; i += 4) *(float4*)&b[i] = *(float4*)&Bs[k][tx * TN + i];
#pragma unroll
      for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++) acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM; i++)
#pragma unroll
    for (int j = 0; j < TN; j += 4) {
      float4* p = (float4*)&C[(size_t)(row0 + ty * TM + i) * N + col0 + tx * TN + j];
      float4 c = *p;
      c.x = alpha * acc[i][j] + beta * c.x; c.y = alpha * acc[i][j + 1] + beta * c.y; c.z = alpha * acc[i][j + 2] + beta * c.z; c.w = alpha * acc[i][j + 3] + beta * c.w;
      *p = c;
    }
}
#ifndef TS
#define TS 16
#endif
extern "C" __global__ void sgemm_simple(int M, int N, int K, const float* A, const float* B, float* C) {
  __shared__ float a[TS][TS], b[TS][TS];
  int r = blockIdx.y * TS + threadIdx.y, c = blockIdx.x * TS + threadIdx.x; float s = 0;
  for (int t = 0; t < (K + TS - 1) / TS; t++) {
    a[threadIdx.y][threadIdx.x] = (r < M && t * TS + threadIdx.x < K) ? A[r * K + t * TS + threadIdx.x] : 0;
    b[threadIdx.y][threadIdx.x] = (c < N && t * TS + threadIdx.y < K) ? B[(t * TS + threadIdx.y) * N + c] : 0;
    __syncthreads();
    for (int k = 0; k < TS; k++) s += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  if (r < M && c < N) C[r * N + c] = s;
}
extern "C" __global__ void sgemm_naive(int M, int N, int K, const float* A, const float* B, float* C) {
  int r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= M || c >= N) return;
  float s = 0; for (int k = 0; k < K; k++) s += A[r * K + k] * B[k * N + c];
  C[r * N + c] = s;
}
