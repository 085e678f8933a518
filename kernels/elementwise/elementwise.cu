// SPDX-License-Identifier: Apache-2.0
//
// output[i] = operation(first[i], second[i] or scalar) for i < count, on FP32 tensors: the
// element-wise operators of deep-learning frameworks. Tunable parameters, given as macros:
//   operation   one of the names after "apply_" below; a trailing u: tensor and scalar
//   elements    of each tensor; the launch is derived from it, the kernel gets it as an argument
// A block of 128 threads handles 512 neighbouring elements: a thread one float4 of each tensor. A
// block that finds fewer than 512 left handles them one by one, 128 apart.

#define THREADS 128
#define PER_THREAD 4
#define PER_BLOCK (THREADS * PER_THREAD)

#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)
#define apply JOIN(apply_, operation)

__device__ float apply_add(float a, float b, float scalar) {
  return a + scalar * b;
}
__device__ float apply_addu(float a, float, float scalar) {
  return a + scalar;
}
__device__ float apply_mul(float a, float b, float) {
  return a * b;
}
__device__ float apply_mulu(float a, float, float scalar) {
  return a * scalar;
}
__device__ float apply_div(float a, float b, float) {
  return a / b;
}
// A framework divides by a scalar as it multiplies with the inverse, taken once on the host.
__device__ float apply_divu(float a, float, float scalar) {
  return a * scalar;
}
__device__ float apply_pow(float a, float b, float) {
  return powf(a, b);
}
__device__ float apply_powu(float a, float, float scalar) {
  return powf(a, scalar);
}
__device__ float apply_tanh(float a, float, float) {
  return tanhf(a);
}
__device__ float apply_relu(float a, float, float) {
  return isnan(a) ? a : fmaxf(a, 0.0f);
}
__device__ float apply_gelu(float a, float, float) {
  return a * 0.5f * (1.0f + erff(a * 0.70710678f));
}

extern "C" __global__ void __launch_bounds__(THREADS)
    elementwise_kernel(int count, float scalar, const float* first, const float* second,
                       float* output) {
  const int begin = blockIdx.x * PER_BLOCK;
  first += begin;
  second += begin;
  output += begin;
  const int left = count - begin;
  if (left >= PER_BLOCK) {
    const float4 a = reinterpret_cast<const float4*>(first)[threadIdx.x];
    const float4 b = reinterpret_cast<const float4*>(second)[threadIdx.x];
    float4 result;
    result.x = apply(a.x, b.x, scalar);
    result.y = apply(a.y, b.y, scalar);
    result.z = apply(a.z, b.z, scalar);
    result.w = apply(a.w, b.w, scalar);
    reinterpret_cast<float4*>(output)[threadIdx.x] = result;
    return;
  }
  float a[PER_THREAD];
  float b[PER_THREAD];
#pragma unroll
  for (int i = 0; i < PER_THREAD; i++) { // all loads first, so that they are in flight together
    const int at = threadIdx.x + i * THREADS;
    if (at < left) {
      a[i] = first[at];
      b[i] = second[at];
    }
  }
#pragma unroll
  for (int i = 0; i < PER_THREAD; i++) {
    const int at = threadIdx.x + i * THREADS;
    if (at < left) {
      output[at] = apply(a[i], b[i], scalar);
    }
  }
}
