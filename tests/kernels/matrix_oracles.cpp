// SPDX-License-Identifier: Apache-2.0
// k05 and k06 sgemm, asynchronous copies, k09 dgemm and hgemm.
#include "tests/kernels/kernel_case.hpp"

namespace coulomb::kernels_test {
namespace {

using std::size_t;

struct Extent {
  size_t m;
  size_t n;
  size_t k;
};

/// Row-major product in double precision.
template <class T>
std::vector<double> product(const Extent& e, const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<double> c(e.m * e.n, 0.0);
  for (size_t i = 0; i < e.m; ++i) {
    for (size_t k = 0; k < e.k; ++k) {
      for (size_t j = 0; j < e.n; ++j) {
        c[i * e.n + j] += number(a[i * e.k + k]) * number(b[k * e.n + j]);
      }
    }
  }
  return c;
}

void extents(Problem& p, const Extent& e) {
  p.value(static_cast<int>(e.m));
  p.value(static_cast<int>(e.n));
  p.value(static_cast<int>(e.k));
}

void sgemm(Problem& p, const Extent& e) {
  extents(p, e);
  const auto a = p.floats(e.m * e.k);
  const auto b = p.floats(e.k * e.n);
  p.input(a);
  p.input(b);
  p.output(std::vector<float>(e.m * e.n, 5.0F), product(e, a, b),
           {.absolute = 6e-8 * static_cast<double>(e.k) * 8});
}

void sgemm_tiled(Problem& p) {
  const Extent e{64, 128, 16};
  extents(p, e);
  p.value(0.5F);
  const auto a = p.floats(e.m * e.k);
  const auto b = p.floats(e.k * e.n);
  const auto c = p.floats(e.m * e.n);
  auto want = product(e, a, b);
  for (size_t i = 0; i < want.size(); ++i) {
    want[i] = 0.5 * want[i] - 0.25 * c[i];
  }
  p.input(a);
  p.input(b);
  p.value(-0.25F);
  p.output(c, want, {.absolute = 4e-6});
}
void sgemm_simple(Problem& p) {
  sgemm(p, {20, 24, 18});
}
void sgemm_naive(Problem& p) {
  sgemm(p, {13, 29, 21});
}
void sgemm_cpasync(Problem& p) {
  sgemm(p, {64, 64, 48});
}

/// The last of the copies to a place wins; their order is not specified, so the source repeats
/// itself after the 192 bytes by which they differ.
void cpasync_sizes(Problem& p) {
  const auto once = p.floats(48);
  std::vector<float> source(600);
  for (size_t i = 0; i < source.size(); ++i) {
    source[i] = once[i % 48];
  }
  std::vector<float> want(128);
  for (size_t t = 0; t < 128; ++t) {
    want[t] = once[(t ^ 7U) % 48];
  }
  p.input(source);
  p.output(std::vector<float>(128, 0.0F), want);
}

void mbar_copy(Problem& p) {
  const auto source = p.floats(128);
  std::vector<float> want(128);
  for (size_t t = 0; t < 128; ++t) {
    want[t] = source[t ^ 1U];
  }
  p.input(source);
  p.output(std::vector<float>(128, 0.0F), want);
}

void dgemm(Problem& p) {
  const Extent e{128, 32, 32};
  p.value(static_cast<int>(e.n));
  p.value(static_cast<int>(e.k));
  p.value(1.25);
  const auto a = p.doubles(e.m * e.k);
  const auto b = p.doubles(e.k * e.n);
  const auto c = p.doubles(e.m * e.n);
  auto want = product(e, a, b);
  for (size_t i = 0; i < want.size(); ++i) {
    want[i] = 1.25 * want[i] - c[i];
  }
  p.input(a);
  p.input(b);
  p.output(c, want, {.absolute = 1e-13});
}

/// Small integers: every partial sum is exact in binary16.
void hgemm2(Problem& p) {
  const Extent e{64, 32, 32};
  p.value(static_cast<int>(e.n / 2));
  p.value(static_cast<int>(e.k));
  const auto draw = [&](size_t n) {
    std::vector<Half> out(n);
    for (Half& h : out) {
      h = half(static_cast<double>(p.random().below(9)) - 4.0);
    }
    return out;
  };
  const auto a = draw(e.m * e.k);
  const auto b = draw(e.k * e.n);
  auto want = product(e, a, b);
  for (double& w : want) {
    w *= 0.5;
  }
  p.input(a);
  p.input(b);
  p.output(std::vector<Half>(e.m * e.n), want);
  p.value(half(0.5));
}

constexpr const char* kSgemm = "k05_sgemm.cu";
constexpr const char* kAsync = "k06_sgemm_async.cu";
constexpr const char* kDouble = "k09_dgemm_hgemm.cu";

constexpr KernelCase kCases[] = {
    {kSgemm, "sgemm_tiled", {2, 1}, {256}, 0, sgemm_tiled, kSumRounding},
    {kSgemm, "sgemm_simple", {2, 2}, {16, 16}, 0, sgemm_simple, kSumRounding},
    {kSgemm, "sgemm_naive", {4, 2}, {8, 8}, 0, sgemm_naive, kSumRounding},
    {kAsync, "sgemm_cpasync", {1, 1}, {256}, 16384, sgemm_cpasync, kSumRounding},
    {kAsync, "cpasync_sizes", {1}, {128}, 0, cpasync_sizes},
    {kAsync, "mbar_copy", {1}, {128}, 0, mbar_copy},
    {kDouble, "dgemm", {2, 2}, {16, 16}, 0, dgemm, kSumRounding},
    {kDouble, "hgemm2", {1, 1}, {16, 16}, 0, hgemm2, "exact: sums of small integers"},
};

} // namespace

std::span<const KernelCase> matrix_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
