// SPDX-License-Identifier: Apache-2.0
//
// y[i] = alpha * x[i] + y[i] for i < count. Tunable parameters, all given as macros:
//   block_size            threads per block
//   elements_per_thread   elements that a thread handles; a multiple of vector_width
//   vector_width          floats per memory access: 1, 2 or 4
// A block handles block_size * elements_per_thread neighbouring elements; in each step,
// neighbouring threads access neighbouring vectors.

#if vector_width == 1
typedef float Vector;
#elif vector_width == 2
typedef float2 Vector;
#elif vector_width == 4
typedef float4 Vector;
#else
#error "vector_width must be 1, 2 or 4"
#endif
#if elements_per_thread % vector_width != 0
#error "elements_per_thread must be a multiple of vector_width"
#endif

union Elements {
  Vector vector;
  float scalar[vector_width];
};

extern "C" __global__ void saxpy_kernel(int count, float alpha, const float* x, float* y) {
  const int block_begin = blockIdx.x * (block_size * elements_per_thread);
#pragma unroll
  for (int step = 0; step < elements_per_thread / vector_width; step++) {
    const int i = block_begin + (step * block_size + threadIdx.x) * vector_width;
    if (i + vector_width <= count) {
      Elements in;
      Elements inout;
      in.vector = *reinterpret_cast<const Vector*>(x + i);
      inout.vector = *reinterpret_cast<const Vector*>(y + i);
#pragma unroll
      for (int v = 0; v < vector_width; v++) {
        inout.scalar[v] += alpha * in.scalar[v];
      }
      *reinterpret_cast<Vector*>(y + i) = inout.vector;
    } else {
#pragma unroll 1
      for (int rest = i; rest < count; rest++) { // fewer than vector_width elements, in one thread
        y[rest] += alpha * x[rest];
      }
    }
  }
}
