// SPDX-License-Identifier: Apache-2.0
#ifndef TILE
#define TILE 32
#endif
#ifndef ROWS
#define ROWS 8
#endif
#ifndef PAD
#define PAD 1
#endif
#ifndef ELT
#define ELT float
#endif
extern "C" __global__ void transpose_pad(const ELT* __restrict__ in, ELT* __restrict__ out, int w, int h) {
  __shared__ ELT t[TILE][TILE + PAD];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += ROWS) if (x < w && y + j < h) t[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x; y = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += ROWS) if (x < h && y + j < w) out[(size_t)(y + j) * h + x] = t[threadIdx.x][threadIdx.y + j];
}
extern "C" __global__ void transpose_nopad(const ELT* in, ELT* out, int w) {
  __shared__ ELT t[TILE][TILE];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS) t[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x; y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS) out[(y + j) * w + x] = t[threadIdx.x][threadIdx.y + j];
}
extern "C" __global__ void transpose_naive(const ELT* in, ELT* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}
extern "C" __global__ void copy_b8(const char* a, char* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = a[i]; }
extern "C" __global__ void copy_b16(const short* a, unsigned short* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = a[i] + 1; }
extern "C" __global__ void copy_b64(const int2* a, int2* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = a[i]; }
extern "C" __global__ void copy_b128(const int4* a, int4* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = a[i]; }
extern "C" __global__ void sh_sizes(const char* a, char* b, int n) {
  __shared__ char c[1024]; __shared__ short s[512]; __shared__ int2 d[128]; __shared__ int4 q[64];
  int t = threadIdx.x;
  c[t] = a[t]; s[t] = a[t + 1]; d[t & 127] = make_int2(t, n); q[t & 63] = make_int4(t, n, t * n, 3);
  __syncthreads();
  unsigned char u = ((unsigned char*)c)[t ^ 3]; unsigned short us = ((unsigned short*)s)[t ^ 1];
  int2 e = d[(t + 1) & 127]; int4 f = q[(t + 1) & 63];
  b[t] = c[t ^ 1] + s[t ^ 5] + u + us + e.x + e.y + f.x + f.y + f.z + f.w;
}
