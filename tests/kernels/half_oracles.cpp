// SPDX-License-Identifier: Apache-2.0
// k09 packed binary16 and bfloat16 arithmetic: one result a thread and function.
#include "tests/kernels/kernel_case.hpp"

#include <algorithm>

namespace coulomb::kernels_test {
namespace {

using std::size_t;
constexpr size_t kThreads = 64;

/// The two halves of an element of half2 or bfloat162.
struct Pair {
  double low = 0.0;
  double high = 0.0;
};
/// Applies a function to both halves.
template <class F>
Pair each(Pair a, F f) {
  return {f(a.low), f(a.high)};
}
template <class F>
Pair each(Pair a, Pair b, F f) {
  return {f(a.low, b.low), f(a.high, b.high)};
}

/// Rounds to the type's precision.
template <class T>
double rounded(double v) {
  if constexpr (std::is_same_v<T, Half>) {
    return number(half(v));
  } else {
    return number(bfloat(v));
  }
}

/// Outputs at [row][thread] and what may be wrong with them.
struct Outputs {
  explicit Outputs(size_t rows, double start)
      : want(rows * kThreads, {start, start}), bounds(rows) {}
  void put(size_t row, size_t thread, Pair value, Bound bound) {
    want[row * kThreads + thread] = value;
    bounds[row] = bound;
  }
  std::vector<Pair> want;
  std::vector<Bound> bounds;
};

template <class T>
void compare(Problem& p, const Outputs& outputs, T start) {
  std::vector<double> want;
  for (const Pair& pair : outputs.want) {
    want.push_back(pair.low);
    want.push_back(pair.high);
  }
  p.output_each<T, double>(
      std::vector<T>(want.size(), start), want,
      [bounds = outputs.bounds](size_t i) { return bounds[i / (2 * kThreads)]; });
}

template <class T>
std::vector<Pair> paired(const std::vector<T>& x) {
  std::vector<Pair> out;
  for (size_t i = 0; i < x.size(); i += 2) {
    out.push_back({number(x[i]), number(x[i + 1])});
  }
  return out;
}

double saturated(double v) {
  return std::clamp(v, 0.0, 1.0);
}

/// The chain of o[0]; a product and a difference may be contracted, hence its wide bound.
double half_chain(double a, double b) {
  double r = saturated((a + b - a * b) * a + b);
  r = saturated(saturated(r + a) * b);
  r = std::min(std::max(std::abs(-r), a), b);
  return std::max(r * a + b, 0.0);
}

/// Scalars with comparisons that follow the rounded values.
Pair half_scalars(double h, double k, double s) {
  if (h > k) {
    h = rounded<Half>(h + s);
  }
  if (h <= k) {
    k = rounded<Half>(h * k);
  }
  if (h != s) {
    h = rounded<Half>(h * k + s);
  }
  if (k == s) {
    h = -h;
  }
  return {h, k};
}

void half_functions(Outputs& o, size_t i, Pair a, Pair b) {
  constexpr Bound kFunction{.ulps = 1.0};
  o.put(7, i, each(a, [](double v) { return std::exp2(v); }), kFunction);
  o.put(8, i, each(b, [](double v) { return 1.0 / v; }), kFunction);
  o.put(9, i, each(a, [](double v) { return std::sqrt(v); }), kFunction);
  o.put(10, i, each(a, [](double v) { return 1.0 / std::sqrt(v); }), kFunction);
  o.put(11, i, each(b, [](double v) { return std::log2(v); }), {.absolute = 1e-6, .ulps = 1.0});
  o.put(12, i, each(a, [](double v) { return std::tanh(v); }),
        {.absolute = std::exp2(-10.987), .ulps = 0.5});
  o.put(13, i, each(a, [](double v) { return std::exp(v); }), kFunction);
  o.put(14, i, each(a, [](double v) { return std::sin(v); }), kFunction);
  o.put(15, i, each(a, [](double v) { return std::floor(v); }), {});
  o.put(16, i, each(b, [](double v) { return std::nearbyint(v); }), {});
  o.put(17, i, each(a, b, [](double x, double y) { return x / y; }), kFunction);
  o.put(18, i, each(a, [](double v) { return v + 1.5; }), {});
  o.put(19, i, each(a, [](double v) { return v * 0.25; }), {});
  o.put(20, i, each(a, [](double v) { return v * 3.0 + 0.5; }), {});
}

void half_ops(Problem& p) {
  constexpr double kS = 0.625;
  const auto x = p.halves(2 * kThreads, 0.1, 2.0);
  auto y = p.halves(2 * kThreads, 0.1, 2.0);
  std::copy(x.begin(), x.begin() + 20, y.begin());
  const auto a = paired(x);
  const auto b = paired(y);
  Outputs o(21, 7.0);
  for (size_t i = 0; i < kThreads; ++i) {
    o.put(0, i, each(a[i], b[i], half_chain), {.absolute = 0.012});
    const auto add = [](double u, double v) { return rounded<Half>(u + v); };
    const Pair swapped{add(a[i].high, b[i].high), add(a[i].low, b[i].high)};
    o.put(1, i, {swapped.low * a[i].low + b[i].low, swapped.high * a[i].low + b[i].high}, {});
    o.put(2, i, half_scalars(a[i].low, b[i].high, kS), {});
    o.put(3, i, each(a[i], b[i], [](double u, double v) { return u > v ? 1.0 : 0.0; }), {});
    o.put(4, i, each(a[i], b[i], [](double u, double v) { return u == v ? 1.0 : 0.0; }), {});
    if (a[i].low >= b[i].low && a[i].high >= b[i].high) {
      o.put(5, i, {}, {});
    }
    if (a[i].low != b[i].low && a[i].high != b[i].high) {
      o.put(6, i, a[i], {});
    }
    half_functions(o, i, a[i], b[i]);
  }
  p.input(x);
  p.input(y);
  compare(p, o, half(7.0));
  p.value(half(kS));
  p.value(static_cast<int>(kThreads));
}

void bf16_ops(Problem& p) {
  const auto x = p.bfloats(2 * kThreads, -1.0, 2.0);
  const auto y = p.bfloats(2 * kThreads, -1.0, 2.0);
  const auto a = paired(x);
  const auto b = paired(y);
  const auto chain = [](double u, double v) {
    const double sum = rounded<Bfloat>(u + v);
    const double product = rounded<Bfloat>(rounded<Bfloat>(sum * u + v) * v);
    return std::abs(std::min(std::max(product, u), v));
  };
  Outputs o(7, 7.0);
  for (size_t i = 0; i < kThreads; ++i) {
    o.put(0, i, each(a[i], b[i], chain), {});
    o.put(1, i,
          each(a[i], b[i], [&](double u, double v) { return std::max(chain(u, v) * u + v, 0.0); }),
          {});
    o.put(2, i, {a[i].low * 2.0, b[i].high + 1.0}, {});
    o.put(3, i, each(a[i], b[i], [](double u, double v) { return u > v ? 1.0 : 0.0; }), {});
    o.put(4, i, each(a[i], [](double v) { return std::exp2(v); }), {.ulps = 1.0});
    o.put(5, i, each(a[i], [](double v) { return std::tanh(v); }),
          {.relative = 0x1p-8, .ulps = 0.5});
    if (a[i].low < b[i].high) {
      o.put(6, i, {3.25, 3.25}, {});
    }
  }
  p.input(x);
  p.input(y);
  compare(p, o, bfloat(7.0));
  p.value(static_cast<int>(kThreads));
}

constexpr const char* kFile = "k09_dgemm_hgemm.cu";

constexpr KernelCase kCases[] = {
    {kFile,
     "half_ops",
     {1},
     {64},
     0,
     half_ops,
     "exact; functions: 1 ulp of binary16 (CUDA math API), tanh.approx 2^-10.987 (PTX ISA)"},
    {kFile,
     "bf16_ops",
     {1},
     {64},
     0,
     bf16_ops,
     "exact; functions: 1 ulp of bfloat16 (CUDA math API), tanh.approx 2^-8 (PTX ISA)"},
};

} // namespace

std::span<const KernelCase> half_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
