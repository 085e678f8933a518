// SPDX-License-Identifier: Apache-2.0
// tunable 2D convolution
#ifndef BX
#define BX 32
#endif
#ifndef BY
#define BY 8
#endif
#ifndef FW
#define FW 7
#endif
#ifndef TX
#define TX 2
#endif
#ifndef TY
#define TY 2
#endif
__constant__ float d_filter[33 * 33];
extern "C" __global__ void conv2d_sh(float* __restrict__ out, const float* __restrict__ in, int w, int h) {
  __shared__ float s[BY * TY + FW - 1][BX * TX + FW - 1];
  int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x * BX * TX, by = blockIdx.y * BY * TY;
#pragma unroll
  for (int i = ty; i < BY * TY + FW - 1; i += BY)
#pragma unroll
    for (int j = tx; j < BX * TX + FW - 1; j += BX) {
      int y = min(max(by + i - FW / 2, 0), h - 1), x = min(max(bx + j - FW / 2, 0), w - 1);
      s[i][j] = in[y * w + x];
    }
  __syncthreads();
  float acc[TY][TX] = {};
#pragma unroll
  for (int i = 0; i < FW; i++)
#pragma unroll
    for (int j = 0; j < FW; j++)
#pragma unroll
      for (int a = 0; a < TY; a++)
#pragma unroll
        for (int b = 0; b < TX; b++) acc[a][b] += s[ty + a * BY + i][tx + b * BX + j] * d_filter[i * FW + j];
#pragma unroll
  for (int a = 0; a < TY; a++)
#pragma unroll
    for (int b = 0; b < TX; b++) { int y = by + ty + a * BY, x = bx + tx + b * BX; if (y < h && x < w) out[y * w + x] = acc[a][b]; }
}
extern "C" __global__ void conv2d_direct(float* out, const float* in, const float* __restrict__ filt, int w, int h, int fw) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x >= w || y >= h) return;
  float s = 0;
  for (int i = 0; i < fw; i++) for (int j = 0; j < fw; j++) s += in[(y + i) * (w + fw - 1) + x + j] * filt[i * fw + j];
  out[y * w + x] = s;
}
extern "C" __global__ void blur_rgba(const uchar4* __restrict__ in, uchar4* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x >= w || y >= h) return;
  int r = 0, g = 0, b = 0, k = 0;
#pragma unroll
  for (int i = -1; i <= 1; i++)
#pragma unroll
    for (int j = -1; j <= 1; j++) { int yy = y + i, xx = x + j; if (yy >= 0 && yy < h && xx >= 0 && xx < w) { uchar4 p = in[yy * w + xx]; r += p.x; g += p.y; b += p.z; k++; } }
  out[y * w + x] = make_uchar4(r / k, g / k, b / k, 255);
}
extern "C" __global__ void sobel_f(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1; if (x >= w - 1 || y >= h - 1) return;
  const float* p = in + y * w + x;
  float gx = p[-w + 1] + 2 * p[1] + p[w + 1] - p[-w - 1] - 2 * p[-1] - p[w - 1], gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
  out[y * w + x] = __saturatef(sqrtf(gx * gx + gy * gy));
}
