// SPDX-License-Identifier: Apache-2.0
// Sum, sum of squares, extremes, first position of the maximum and count of negative elements of a
// vector in one launch: grid-stride loads of float4, shuffles, and the last CTA adds up the partial
// results of all.
#include <math_constants.h>

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr unsigned kFull = 0xffffffffu;

struct Moments {
  double sum;
  double squares;
};

struct Peak {
  float value;
  unsigned index;
};

struct AddMoments {
  __device__ Moments operator()(const Moments& a, const Moments& b) const {
    return {a.sum + b.sum, a.squares + b.squares};
  }
};

/// Of equal peaks, the first one.
struct HigherPeak {
  __device__ Peak operator()(const Peak& a, const Peak& b) const {
    return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
  }
};

struct Minimum {
  __device__ float operator()(float a, float b) const { return fminf(a, b); }
};

/// A shuffle of any type that consists of whole words.
template <class T>
__device__ __forceinline__ T shuffle_down(const T& value, int delta) {
  static_assert(sizeof(T) % sizeof(int) == 0, "whole words only");
  constexpr int kWords = sizeof(T) / sizeof(int);
  union {
    T value;
    int words[kWords];
  } in, out;
  in.value = value;
#pragma unroll
  for (int i = 0; i < kWords; ++i) {
    out.words[i] = __shfl_down_sync(kFull, in.words[i], delta);
  }
  return out.value;
}

template <class T, class Combine>
__device__ __forceinline__ T warp_reduce(T value, Combine combine) {
#pragma unroll
  for (int delta = 16; delta > 0; delta /= 2) {
    value = combine(value, shuffle_down(value, delta));
  }
  return value;
}

/// The result is valid in thread 0.
template <class T, class Combine>
__device__ T block_reduce(T value, const T& identity, Combine combine) {
  __shared__ T partial[kWarps];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  value = warp_reduce(value, combine);
  if (lane == 0) {
    partial[warp] = value;
  }
  __syncthreads();
  if (warp == 0) {
    value = warp_reduce(lane < kWarps ? partial[lane] : identity, combine);
  }
  __syncthreads();
  return value;
}

/// Floats of one sign order like integers, negative ones in reverse.
__device__ __forceinline__ void atomic_min(float* address, float value) {
  if (__float_as_int(value) >= 0) {
    atomicMin(reinterpret_cast<int*>(address), __float_as_int(value));
  } else {
    atomicMax(reinterpret_cast<unsigned*>(address), __float_as_uint(value));
  }
}

struct Local {
  Moments moments = {0.0, 0.0};
  Peak peak = {-CUDART_INF_F, 0xffffffffu};
  float lowest = CUDART_INF_F;
  unsigned negatives = 0;

  __device__ __forceinline__ void add(float x, unsigned index) {
    moments.sum += x;
    moments.squares = fma(static_cast<double>(x), static_cast<double>(x), moments.squares);
    peak = HigherPeak()(peak, Peak{x, index});
    lowest = fminf(lowest, x);
    negatives += x < 0.0f;
  }
};

/// `x` is aligned to 16 bytes. `partial_*` hold one element per CTA; `lowest` starts at infinity,
/// `negatives` and `ticket` at zero; `ticket` is zero again afterwards.
extern "C" __global__ void __launch_bounds__(kThreads)
    summary_statistics(const float* __restrict__ x,
                       unsigned n,
                       Moments* partial_moments,
                       Peak* partial_peaks,
                       unsigned* ticket,
                       double* mean_and_variance,
                       float* lowest,
                       Peak* highest,
                       unsigned* negatives) {
  Local local;
  const unsigned stride = gridDim.x * kThreads;
  const unsigned thread = blockIdx.x * kThreads + threadIdx.x;
  const float4* vectors = reinterpret_cast<const float4*>(x);
  for (unsigned i = thread; i < n / 4; i += stride) {
    const float4 v = __ldg(vectors + i);
    local.add(v.x, 4 * i);
    local.add(v.y, 4 * i + 1);
    local.add(v.z, 4 * i + 2);
    local.add(v.w, 4 * i + 3);
  }
  if (thread < n % 4) {
    local.add(x[n / 4 * 4 + thread], n / 4 * 4 + thread);
  }

  const Moments moments = block_reduce(local.moments, Moments{0.0, 0.0}, AddMoments());
  const Peak peak = block_reduce(local.peak, Peak{-CUDART_INF_F, 0xffffffffu}, HigherPeak());
  const float low = block_reduce(local.lowest, CUDART_INF_F, Minimum());
  const unsigned warp_negatives = __reduce_add_sync(kFull, local.negatives);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(negatives, warp_negatives);
  }

  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    atomic_min(lowest, low);
    partial_moments[blockIdx.x] = moments;
    partial_peaks[blockIdx.x] = peak;
    __threadfence();
    is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) {
    return;
  }

  Moments total = {0.0, 0.0};
  Peak top = {-CUDART_INF_F, 0xffffffffu};
  for (unsigned i = threadIdx.x; i < gridDim.x; i += kThreads) {
    const volatile Moments* m = partial_moments + i;
    const volatile Peak* p = partial_peaks + i;
    total = AddMoments()(total, Moments{m->sum, m->squares});
    top = HigherPeak()(top, Peak{p->value, p->index});
  }
  total = block_reduce(total, Moments{0.0, 0.0}, AddMoments());
  top = block_reduce(top, Peak{-CUDART_INF_F, 0xffffffffu}, HigherPeak());
  if (threadIdx.x == 0) {
    const double mean = total.sum / n;
    mean_and_variance[0] = mean;
    mean_and_variance[1] = (total.squares - total.sum * mean) / (n - 1);
    *highest = top;
  }
}
