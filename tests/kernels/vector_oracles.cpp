// SPDX-License-Identifier: Apache-2.0
// k01 saxpy, k02 reductions, k03 softmax and norms, k04 transposes and copies.
#include "tests/kernels/kernel_case.hpp"

#include <algorithm>
#include <numeric>

namespace coulomb::kernels_test {
namespace {

using std::size_t;
constexpr Bound kTwoRoundings{.absolute = 2.4e-7};

/// a x + y for float arguments of `count` elements, of which the first `n` are computed.
void axpy(Problem& p, size_t count, size_t n, double a) {
  const auto x = p.floats(count);
  const auto y = p.floats(count);
  p.input(x);
  std::vector<double> want(y.begin(), y.end());
  for (size_t i = 0; i < n; ++i) {
    want[i] = a * x[i] + y[i];
  }
  p.output(y, want, kTwoRoundings);
}

void saxpy(Problem& p) {
  p.value(200);
  p.value(0.75F);
  axpy(p, 256, 200, 0.75);
}

void saxpy_stride(Problem& p) {
  p.value(std::uint64_t{700});
  p.value(-0.5F);
  axpy(p, 701, 700, -0.5);
}

void saxpy_v4(Problem& p) {
  p.value(50);
  p.value(0.25F);
  axpy(p, 256, 200, 0.25);
}

void daxpy(Problem& p) {
  const auto x = p.doubles(300);
  const auto y = p.doubles(300);
  std::vector<double> want(y);
  for (size_t i = 0; i < 290; ++i) {
    want[i] = std::fma(1.5, x[i], y[i]);
  }
  p.value(290);
  p.value(1.5);
  p.input(x);
  p.output(y, want);
}

void iaxpy(Problem& p) {
  constexpr size_t kCount = 128;
  const auto x = p.integers<std::int32_t>(kCount);
  const auto y = p.integers<std::int32_t>(kCount);
  const auto s = p.integers<std::int16_t>(kCount);
  const auto c = p.integers<std::int8_t>(kCount);
  const auto u = p.integers<std::uint8_t>(kCount);
  std::vector<std::uint32_t> want(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    want[i] = static_cast<std::uint32_t>(y[i]);
    if (i < 100) {
      want[i] +=
          77U * static_cast<std::uint32_t>(x[i]) + static_cast<std::uint32_t>(s[i] * c[i] - u[i]);
    }
  }
  p.value(100);
  p.value(77);
  p.input(x);
  p.output(y, want);
  p.input(s);
  p.input(c);
  p.input(u);
}

template <class T>
void sum(Problem& p, const std::vector<T>& x, T start, Bound bound) {
  p.input(x);
  p.output(std::vector<T>{start},
           std::vector<T>{std::accumulate(x.begin(), x.begin() + 1000, start)}, bound);
  p.value(1000);
}

void reduce_f32(Problem& p) {
  const auto x = p.floats(1024);
  double total = 3.0;
  for (size_t i = 0; i < 1000; ++i) {
    total += x[i];
  }
  p.input(x);
  p.output(std::vector<float>{3.0F}, std::vector<double>{total}, {.absolute = 1000 * 6e-8 * 40});
  p.value(1000);
}
void reduce_f64(Problem& p) {
  sum<double>(p, p.doubles(1024), 3.0, {.absolute = 1e-11});
}
void reduce_i32(Problem& p) {
  sum<std::int32_t>(p, p.integers<std::int32_t>(1024, 2000000, -1000000), 7, {});
}
void reduce_u64(Problem& p) {
  sum<std::uint64_t>(p, p.integers<std::uint64_t>(1024), 7, {});
}

void reduce_max(Problem& p) {
  const auto x = p.floats(1000, 0.5, 90.0);
  p.input(x);
  p.output(std::vector<float>{0.0F}, std::vector<float>{*std::max_element(x.begin(), x.end())});
  p.value(1000);
}

/// Launched with one warp: every warp stores to the same nine words.
void reduce_redux(Problem& p) {
  const auto x = p.integers<std::uint32_t>(32);
  const auto y = p.integers<std::int32_t>(32);
  std::vector<std::uint32_t> want{0, ~0U, 0, ~0U, 0, 0, 0, 0, 0};
  std::int32_t low = 0;
  std::int32_t high = 0;
  for (size_t i = 0; i < 32; ++i) {
    const std::uint32_t v = i < 30 ? x[i] : 0;
    const std::int32_t w = i < 30 ? y[i] : 0;
    want[0] += v;
    want[1] = std::min(want[1], v);
    want[2] = std::max(want[2], v);
    want[3] &= v;
    want[4] |= v;
    want[5] ^= v;
    low = i == 0 ? w : std::min(low, w);
    high = i == 0 ? w : std::max(high, w);
    want[8] += static_cast<std::uint32_t>(w);
  }
  want[6] = static_cast<std::uint32_t>(low);
  want[7] = static_cast<std::uint32_t>(high);
  p.input(x);
  p.input(y);
  p.output(std::vector<std::uint32_t>(9, 0xabcd), want);
  p.value(30);
}

void reduce_shmem(Problem& p) {
  const auto x = p.floats(700);
  std::vector<double> want(3, 0.0);
  for (size_t i = 0; i < x.size(); ++i) {
    want[i / 256] += x[i];
  }
  p.input(x);
  p.output(std::vector<float>(3, 9.0F), want, {.absolute = 256 * 6e-8});
  p.value(700);
}

/// Lane that a shuffle of lane `l` reads; itself where the source lies outside its segment.
size_t up(size_t l, size_t delta, size_t width) {
  return l % width >= delta ? l - delta : l;
}
size_t down(size_t l, size_t delta, size_t width) {
  return l % width + delta < width ? l + delta : l;
}
size_t indexed(size_t l, size_t index, size_t width) {
  return l / width * width + index % width;
}
/// A shuffle by xor may read lower segments, not higher ones.
size_t by_xor(size_t l, size_t mask, size_t width) {
  const size_t source = l ^ mask;
  return source / width > l / width ? l : source;
}

void shfl_modes(Problem& p) {
  constexpr size_t kWidth = 4;
  constexpr size_t kDelta = 5;
  const auto x = p.floats(64);
  std::vector<double> want(128, 0.0);
  for (size_t t = 0; t < 64; ++t) {
    const size_t l = t % 32;
    const auto v = [&](size_t lane) { return static_cast<double>(x[t - l + lane]); };
    want[t] = v(indexed(l, kDelta, 32)) + v(up(l, kDelta, 32)) * v(down(l, kDelta, 16)) -
              v(by_xor(l, kDelta, 8)) * v(indexed(l, 3, 32)) +
              v(up(l, 2, 8)) * v(indexed(l, kDelta, kWidth)) - v(up(l, 1, kWidth));
    want[t + 64] = v(indexed(l, kDelta, 32)) + static_cast<double>(kWidth + t - l + down(l, 4, 32));
  }
  p.input(x);
  p.output(std::vector<float>(128, 0.0F), want, {.absolute = 8e-6});
  p.value(static_cast<int>(kWidth));
  p.value(static_cast<int>(kDelta));
}

std::vector<double> softmax_rows(const std::vector<double>& x, size_t columns) {
  std::vector<double> want(x.size());
  for (size_t row = 0; row < x.size(); row += columns) {
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(row);
    const double top = *std::max_element(first, first + static_cast<std::ptrdiff_t>(columns));
    double total = 0.0;
    for (size_t c = 0; c < columns; ++c) {
      total += std::exp(x[row + c] - top);
    }
    for (size_t c = 0; c < columns; ++c) {
      want[row + c] = std::exp(x[row + c] - top) / total;
    }
  }
  return want;
}

void softmax_f32(Problem& p) {
  const auto x = p.floats(size_t{2} * 500, -4.0, 4.0);
  p.input(x);
  p.output(std::vector<float>(x.size(), 0.0F), softmax_rows({x.begin(), x.end()}, 500),
           {.relative = 3e-6});
  p.value(500);
}

void softmax_online_h(Problem& p) {
  const auto x = p.halves(size_t{3} * 200, -4.0, 4.0);
  std::vector<double> values;
  for (const Half h : x) {
    values.push_back(number(h));
  }
  p.input(x);
  p.output(std::vector<Half>(x.size()), softmax_rows(values, 200), {.ulps = 0.6});
  p.value(100);
}

void layernorm(Problem& p) {
  constexpr size_t kColumns = 264;
  const auto x = p.floats(size_t{2} * kColumns, -2.0, 3.0);
  const auto g = p.floats(kColumns);
  const auto b = p.floats(kColumns);
  std::vector<double> want(x.size());
  for (size_t row = 0; row < x.size(); row += kColumns) {
    double s = 0.0;
    double q = 0.0;
    for (size_t c = 0; c < kColumns; ++c) {
      s += x[row + c];
      q += static_cast<double>(x[row + c]) * x[row + c];
    }
    const double mean = s / kColumns;
    const double scale = 1.0 / std::sqrt(q / kColumns - mean * mean + 1e-5F);
    for (size_t c = 0; c < kColumns; ++c) {
      want[row + c] = (x[row + c] - mean) * scale * g[c] + b[c];
    }
  }
  p.input(x);
  p.input(g);
  p.input(b);
  p.output(std::vector<float>(x.size(), 0.0F), want, {.absolute = 3e-6});
  p.value(static_cast<int>(kColumns));
  p.value(1e-5F);
}

void rmsnorm_gelu(Problem& p) {
  constexpr size_t kColumns = 70;
  const auto x = p.floats(size_t{2} * kColumns, -3.0, 3.0);
  std::vector<double> want(x.size());
  for (size_t row = 0; row < x.size(); row += kColumns) {
    double q = 0.0;
    for (size_t c = 0; c < kColumns; ++c) {
      q += static_cast<double>(x[row + c]) * x[row + c];
    }
    for (size_t c = 0; c < kColumns; ++c) {
      const double v = x[row + c] / std::sqrt(q / kColumns + 1e-6);
      want[row + c] = 0.5 * v * (1.0 + std::tanh(0.7978845608 * (v + 0.044715 * v * v * v))) +
                      std::erf(v * 0.70710678) + v / (1.0 + std::exp(-v));
    }
  }
  p.input(x);
  p.output(std::vector<float>(x.size(), 0.0F), want, {.absolute = 4e-6});
  p.value(static_cast<int>(kColumns));
}

/// out is the transpose of `in` (height x width).
void transpose(Problem& p, size_t width, size_t height) {
  const auto in = p.floats(width * height);
  std::vector<float> want(in.size());
  for (size_t y = 0; y < height; ++y) {
    for (size_t x = 0; x < width; ++x) {
      want[x * height + y] = in[y * width + x];
    }
  }
  p.input(in);
  p.output(std::vector<float>(in.size(), -7.0F), want);
}
void transpose_pad(Problem& p) {
  transpose(p, 40, 50);
  p.value(40);
  p.value(50);
}
void transpose_nopad(Problem& p) {
  transpose(p, 64, 64);
  p.value(64);
}
void transpose_naive(Problem& p) {
  transpose(p, 30, 20);
  p.value(30);
  p.value(20);
}

/// Copies `n` items of `width` elements of type T, plus `add`; the rest stays as it is.
template <class T>
void copy(Problem& p, size_t n, size_t width, int add) {
  const auto in = p.integers<T>(128 * width);
  const auto out = p.integers<T>(128 * width);
  std::vector<T> want(out);
  for (size_t i = 0; i < n * width; ++i) {
    want[i] = static_cast<T>(in[i] + static_cast<T>(add));
  }
  p.input(in);
  p.output(out, want);
  p.value(static_cast<int>(n));
}
void copy_b8(Problem& p) {
  copy<std::uint8_t>(p, 101, 1, 0);
}
void copy_b16(Problem& p) {
  copy<std::uint16_t>(p, 101, 1, 1);
}
void copy_b64(Problem& p) {
  copy<std::uint32_t>(p, 101, 2, 0);
}
void copy_b128(Problem& p) {
  copy<std::uint32_t>(p, 101, 4, 0);
}

/// Launched with 64 threads: above, several threads store to one element of the wide arrays.
void sh_sizes(Problem& p) {
  constexpr int kThreads = 64;
  constexpr int kN = 11;
  const auto a = p.integers<std::int8_t>(kThreads + 1);
  std::vector<std::int8_t> want;
  for (int t = 0; t < kThreads; ++t) {
    const auto c = [&](int i) { return a[static_cast<size_t>(i)]; };
    const auto s = [&](int i) { return static_cast<int>(a[static_cast<size_t>(i) + 1]); };
    const auto u = static_cast<std::uint8_t>(c(t ^ 3));
    const auto us = static_cast<std::uint16_t>(s(t ^ 1));
    const int next = (t + 1) % kThreads;
    // d[64] is never stored to: thread 63 reads the zeros that shared memory starts with here.
    const int pair = t + 1 < kThreads ? next + kN : 0;
    want.push_back(
        static_cast<std::int8_t>(c(t ^ 1) + s(t ^ 5) + u + us + pair + next + kN + next * kN + 3));
  }
  p.input(a);
  p.output(std::vector<std::int8_t>(kThreads, 0), want);
  p.value(kN);
}

constexpr const char* kSaxpy = "k01_saxpy.cu";
constexpr const char* kReduce = "k02_reduce.cu";
constexpr const char* kSoftmax = "k03_softmax.cu";
constexpr const char* kTranspose = "k04_transpose.cu";

constexpr KernelCase kCases[] = {
    {kSaxpy, "saxpy", {4}, {64}, 0, saxpy, "one or two roundings of values below 2"},
    {kSaxpy, "saxpy_stride", {2}, {96}, 0, saxpy_stride, "one rounding of values below 2"},
    {kSaxpy, "saxpy_v4", {1}, {64}, 0, saxpy_v4, "one or two roundings of values below 2"},
    {kSaxpy, "daxpy", {2}, {64}, 0, daxpy, "exact: one fused multiply-add"},
    {kSaxpy, "iaxpy", {2}, {64}, 0, iaxpy},
    {kReduce, "reduce_f32", {2}, {256}, 0, reduce_f32, kSumRounding},
    {kReduce, "reduce_f64", {2}, {256}, 0, reduce_f64, kSumRounding},
    {kReduce, "reduce_i32", {2}, {256}, 0, reduce_i32},
    {kReduce, "reduce_u64", {2}, {256}, 0, reduce_u64},
    {kReduce, "reduce_max", {1}, {256}, 0, reduce_max},
    {kReduce, "reduce_redux", {1}, {32}, 0, reduce_redux},
    {kReduce, "reduce_shmem", {3}, {256}, 0, reduce_shmem, kSumRounding},
    {kReduce, "shfl_modes", {1}, {64}, 0, shfl_modes, "roundings of sums below 64"},
    {kSoftmax, "softmax_f32", {2}, {128}, 0, softmax_f32, "expf 1 ulp plus rounding of a sum"},
    {kSoftmax,
     "softmax_online_h",
     {3},
     {32},
     0,
     softmax_online_h,
     "half an ulp of binary16 plus errors of __expf far below it"},
    {kSoftmax, "layernorm", {2}, {128}, 0, layernorm, kSumRounding},
    {kSoftmax, "rmsnorm_gelu", {2}, {32}, 0, rmsnorm_gelu, kMathTable},
    {kTranspose, "transpose_pad", {2, 2}, {32, 8}, 0, transpose_pad},
    {kTranspose, "transpose_nopad", {2, 2}, {32, 8}, 0, transpose_nopad},
    {kTranspose, "transpose_naive", {2, 3}, {16, 8}, 0, transpose_naive},
    {kTranspose, "copy_b8", {2}, {64}, 0, copy_b8},
    {kTranspose, "copy_b16", {2}, {64}, 0, copy_b16},
    {kTranspose, "copy_b64", {2}, {64}, 0, copy_b64},
    {kTranspose, "copy_b128", {2}, {64}, 0, copy_b128},
    {kTranspose, "sh_sizes", {1}, {64}, 0, sh_sizes},
};

} // namespace

std::span<const KernelCase> vector_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
