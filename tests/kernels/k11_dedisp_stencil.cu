// SPDX-License-Identifier: Apache-2.0
#ifndef NSMP
#define NSMP 4
#endif
#ifndef TS
#define TS 16
#endif
// dedispersion-like strided gather
extern "C" __global__ void dedisperse(const unsigned char* __restrict__ in, float* out, const float* __restrict__ shifts, float dm0, float ddm, int nchan, int nsamp, int stride) {
  int t = (blockIdx.x * blockDim.x + threadIdx.x) * NSMP, d = blockIdx.y * blockDim.y + threadIdx.y;
  float dm = dm0 + d * ddm, acc[NSMP] = {};
  for (int c = 0; c < nchan; c++) {
    int s = (int)(dm * shifts[c]);
#pragma unroll
    for (int i = 0; i < NSMP; i++) acc[i] += (float)in[(size_t)c * stride + t + i + s];
  }
#pragma unroll
  for (int i = 0; i < NSMP; i++) if (t + i < nsamp) out[(size_t)d * nsamp + t + i] = acc[i];
}
extern "C" __global__ void hotspot(const float* __restrict__ temp, const float* __restrict__ power, float* out, int w, int h, int iters, float cap, float rx, float ry, float rz) {
  __shared__ float a[TS][TS], b[TS][TS], p[TS][TS];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * (TS - 2 * iters) + tx - iters, y = blockIdx.y * (TS - 2 * iters) + ty - iters;
  bool in = x >= 0 && x < w && y >= 0 && y < h;
  if (in) { a[ty][tx] = temp[y * w + x]; p[ty][tx] = power[y * w + x]; }
  __syncthreads();
  int n = max(ty - 1, 0), s = min(ty + 1, TS - 1), ww = max(tx - 1, 0), e = min(tx + 1, TS - 1);
  bool comp = false;
  for (int i = 0; i < iters; i++) {
    comp = false;
    if (in && tx > i && tx < TS - 1 - i && ty > i && ty < TS - 1 - i) {
      comp = true;
      b[ty][tx] = a[ty][tx] + cap * (p[ty][tx] + (a[s][tx] + a[n][tx] - 2.f * a[ty][tx]) * ry + (a[ty][e] + a[ty][ww] - 2.f * a[ty][tx]) * rx + (80.f - a[ty][tx]) * rz);
    }
    __syncthreads();
    if (i == iters - 1) break;
    if (comp) a[ty][tx] = b[ty][tx];
    __syncthreads();
  }
  if (comp) out[y * w + x] = b[ty][tx];
}
extern "C" __global__ void stencil3d(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz, float c0, float c1) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1; if (i >= nx - 1 || j >= ny - 1) return;
  int st = nx * ny; const float* p = in + j * nx + i; float b = p[0], c = p[st];
  for (int k = 1; k < nz - 1; k++) { float t = p[(k + 1) * st]; out[k * st + j * nx + i] = c0 * c - c1 * (b + t + p[k * st - 1] + p[k * st + 1] + p[k * st - nx] + p[k * st + nx]); b = c; c = t; }
}
extern "C" __global__ void stencil_f64(const double* __restrict__ in, double* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > 0 && i < n - 1) out[i] = 0.5 * in[i] + 0.25 * (in[i - 1] + in[i + 1]) - fmin(fmax(in[i], -1.0), 1.0) + fabs(in[i - 1]) * -3.7; }
