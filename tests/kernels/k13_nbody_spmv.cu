// SPDX-License-Identifier: Apache-2.0
#ifndef BS
#define BS 128
#endif
#ifndef UNR
#define UNR 8
#endif
extern "C" __global__ void nbody(const float4* __restrict__ pos, float4* acc, int n, float eps2) {
  __shared__ float4 s[BS]; int i = blockIdx.x * BS + threadIdx.x; float4 p = pos[i]; float ax = 0, ay = 0, az = 0;
  for (int t = 0; t < n; t += BS) {
    s[threadIdx.x] = pos[t + threadIdx.x]; __syncthreads();
#pragma unroll UNR
    for (int j = 0; j < BS; j++) { float dx = s[j].x - p.x, dy = s[j].y - p.y, dz = s[j].z - p.z, d2 = dx * dx + dy * dy + dz * dz + eps2, inv = rsqrtf(d2), c = s[j].w * inv * inv * inv; ax += dx * c; ay += dy * c; az += dz * c; }
    __syncthreads();
  }
  acc[i] = make_float4(ax, ay, az, 0);
}
extern "C" __global__ void nbody_f64(const double4* pos, double* acc, int n) {
  int i = blockIdx.x * BS + threadIdx.x; double4 p = pos[i]; double ax = 0;
  for (int j = 0; j < n; j++) { double4 q = pos[j]; double dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z, inv = rsqrt(dx * dx + dy * dy + dz * dz + 1e-9); ax += q.w * dx * inv * inv * inv; }
  acc[i] = ax;
}
extern "C" __global__ void spmv_csr(int n, const int* __restrict__ rp, const int* __restrict__ ci, const float* __restrict__ v, const float* __restrict__ x, float* y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x; if (r >= n) return; float s = 0;
  for (int k = rp[r]; k < rp[r + 1]; k++) s += v[k] * x[ci[k]];
  y[r] = s;
}
extern "C" __global__ void spmv_warp(int n, const int* __restrict__ rp, const int* __restrict__ ci, const double* __restrict__ v, const double* __restrict__ x, double* y) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, l = threadIdx.x & 31; if (w >= n) return; double s = 0;
  for (int k = rp[w] + l; k < rp[w + 1]; k += 32) s += v[k] * __ldg(&x[ci[k]]);
  for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
  if (l == 0) y[w] = s;
}
extern "C" __global__ void bfs(const int* rp, const int* ci, int* lvl, int cur, int n, int* changed, const unsigned char* skip) {
  int v = blockIdx.x * blockDim.x + threadIdx.x; if (v >= n || lvl[v] != cur) return;
  for (int e = rp[v]; e < rp[v + 1]; e++) {
    int u = ci[e]; if (skip[u]) continue; if (u == v) break;
    for (int k = 0; k < 8; k++) { if (lvl[u] == -1 - k) { lvl[u] = cur + 1; *changed = 1; break; } if (lvl[u] > 1000 + k) return; }
  }
}
extern "C" __global__ void point_in_polygon(const float2* __restrict__ pts, int* out, const float2* __restrict__ poly, int nv, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float2 p = pts[i]; int c = 0;
    for (int a = 0, b = nv - 1; a < nv; b = a++) { float2 u = poly[a], v = poly[b]; if (((u.y > p.y) != (v.y > p.y)) && (p.x < (v.x - u.x) * (p.y - u.y) / (v.y - u.y) + u.x)) c = !c; }
    out[i] = c;
  }
}
extern "C" __global__ void mandelbrot(int* out, int w, int h, float x0, float y0, float dx, int maxit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y; if (i >= w || j >= h) return;
  float cx = x0 + i * dx, cy = y0 + j * dx, x = 0, y = 0; int k = 0;
  while (k < maxit && x * x + y * y < 4.f) { float t = x * x - y * y + cx; y = 2 * x * y + cy; x = t; k++; }
  out[j * w + i] = k;
}
extern "C" __global__ void mandelbrot_f64(int* out, int w, double x0, double y0, double dx, int maxit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y; double cx = x0 + i * dx, cy = y0 + j * dx, x = 0, y = 0; int k = 0;
  do { double t = x * x - y * y + cx; y = 2 * x * y + cy; x = t; } while (++k < maxit && x * x + y * y < 4.0); out[j * w + i] = k;
}
extern "C" __global__ void collatz(unsigned long long* o, unsigned n) {
  unsigned long long v = blockIdx.x * blockDim.x + threadIdx.x + 1; int s = 0;
  while (v != 1) { if (v & 1) { v = 3 * v + 1; if (v > (1ull << 60)) goto bad; } else v >>= 1; s++; if (s > 1000) break; }
  o[threadIdx.x] = s; return; bad: o[threadIdx.x] = ~0ull;
}
extern "C" __global__ void montecarlo(float* o, int n, unsigned seed) {
  unsigned s = seed ^ (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u; int hit = 0;
  for (int i = 0; i < n; i++) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; float x = s * 2.3283064e-10f; s = s * 1664525u + 1013904223u; float y = (s >> 8) * (1.f / 16777216.f); hit += x * x + y * y <= 1.f; }
  o[blockIdx.x * blockDim.x + threadIdx.x] = 4.f * hit / n;
}
