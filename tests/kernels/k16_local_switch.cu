// SPDX-License-Identifier: Apache-2.0
// local arrays, switch tables, indirect calls, noinline functions, recursion
#ifndef NL
#define NL 32
#endif
extern "C" __global__ void local_dyn(const int* x, int* o, int n) {
  int a[NL]; for (int i = 0; i < NL; i++) a[i] = x[threadIdx.x + i];
  for (int i = 0; i < n; i++) { int j = x[i] & (NL - 1); int k = x[i + 1] & (NL - 1); int t = a[j]; a[j] = a[k]; a[k] = t; }
  int s = 0; for (int i = 0; i < n; i++) s = s * 3 + a[i & (NL - 1)]; o[threadIdx.x] = s;
}
extern "C" __global__ void local_types(const char* x, char* o, int n) {
  char c[64]; short s[32]; double d[16]; float4 f[8]; for (int i = 0; i < 64; i++) c[i] = x[i + threadIdx.x]; for (int i = 0; i < n; i++) { s[x[i] & 31] = i; d[x[i] & 15] = i * 0.5; f[x[i] & 7] = make_float4(i, 1, 2, 3); c[x[i] & 63] ^= i; }
  float4 g = f[n & 7]; o[threadIdx.x] = c[n & 63] + s[n & 31] + (char)d[n & 15] + (char)(g.x + g.y + g.z * g.w) + (unsigned char)c[(n + 1) & 63] + (unsigned short)s[(n + 2) & 31];
}
extern "C" __global__ void insertion_sort(float* g, int n) { float a[16]; int b = (blockIdx.x * blockDim.x + threadIdx.x) * 16; for (int i = 0; i < n; i++) a[i] = g[b + i]; for (int i = 1; i < n; i++) { float k = a[i]; int j = i - 1; while (j >= 0 && a[j] > k) { a[j + 1] = a[j]; j--; } a[j + 1] = k; } for (int i = 0; i < n; i++) g[b + i] = a[i]; }
extern "C" __global__ void switch_vm(const int* code, float* st, int n) {
  float a = st[threadIdx.x], b = 1.f; int acc = 0;
  for (int pc = 0; pc < n; pc++) {
    switch (code[pc] & 15) {
      case 0: a += b; break; case 1: a -= b; break; case 2: a *= b; break; case 3: b = a / b; break; case 4: a = sqrtf(fabsf(a)); break; case 5: { float t = a; a = b; b = t; } break;
      case 6: acc += (int)a; break; case 7: a = (float)acc; break; case 8: b = __sinf(a); break; case 9: a = fminf(a, b); break; case 10: a = -a; break; case 11: acc ^= pc; break; case 12: if (acc & 1) pc++; break; case 13: st[threadIdx.x + pc] = a; break; default: b += 0.5f;
    }
  }
  st[threadIdx.x] = a + b + acc;
}
extern "C" __global__ void switch_int(const int* x, int* o) { int v = x[threadIdx.x], r; switch (v) { case 0: r = v * 3; break; case 1: r = v ^ 5; break; case 2: r = v << 2; break; case 3: r = ~v; break; case 4: r = v / 3; break; case 5: r = __popc(v); break; case 6: r = v % 7; break; case 7: r = o[v]; break; case 100: r = 5; break; case 1000: r = 6; break; default: r = -1; } o[threadIdx.x] = r; }
__device__ __noinline__ float fa(float x, int n) { float s = x; for (int i = 0; i < n; i++) s = s * x + 1.f; return s; }
__device__ __noinline__ float fb(float x, int n) { return n > 3 ? x * n : fa(x, n) - 1.f; }
__device__ __noinline__ float fc(float x, int n) { return __expf(x) + n; }
__device__ __noinline__ int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
typedef float (*fp)(float, int); __device__ fp table[3] = {fa, fb, fc};
extern "C" __global__ void calls(float* x, int n) { int t = threadIdx.x; float v = x[t]; v = fa(v, n) + fb(v, n + t); if (t & 1) v = fc(v, n); x[t] = v; }
extern "C" __global__ void indirect(float* x, const int* sel, int n) { int t = threadIdx.x; x[t] = table[sel[t] % 3](x[t], n); }
extern "C" __global__ void recurse(int* x) { int t = threadIdx.x; x[t] = fact(x[t] & 7) + fib(x[t] & 15); }
struct Base { __device__ virtual float f(float x) const = 0; float k; }; struct A1 : Base { __device__ float f(float x) const override { return x * k; } }; struct B1 : Base { __device__ float f(float x) const override { return x + k; } };
extern "C" __global__ void virt(float* x, int sel) { A1 a; B1 b; a.k = 2.f; b.k = 3.f; const Base* p = (sel + threadIdx.x) & 1 ? (const Base*)&a : (const Base*)&b; x[threadIdx.x] = p->f(x[threadIdx.x]); }
extern "C" __global__ void bigframe(double* g, int n) { double a[64], b[64]; for (int i = 0; i < 64; i++) { a[i] = g[i * n + threadIdx.x]; b[i] = a[i] * g[i]; } for (int k = 0; k < n; k++) for (int i = 0; i < 64; i++) a[i] = a[i] * b[63 - i] + a[(i + 7) & 63]; double s = 0; for (int i = 0; i < 64; i++) s += a[i] * b[i]; g[threadIdx.x] = s; }
