// SPDX-License-Identifier: Apache-2.0
#include "kernel_harness.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace coulomb::functional::test {
namespace {

class NumericKernels : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Architecture,
                         NumericKernels,
                         ::testing::Values(80, 86),
                         [](const auto& p) { return "sm" + std::to_string(p.param); });

/// Equal as values; any NaN equals any NaN.
template <class T>
void expect_same(T got, T want, const std::string& what) {
  if (std::isnan(want)) {
    EXPECT_TRUE(std::isnan(got)) << what << ": " << got;
  } else {
    EXPECT_EQ(got, want) << what;
    EXPECT_EQ(std::signbit(got), std::signbit(want)) << what;
  }
}

template <class T>
std::vector<T> with_edges(std::vector<T> edges, std::size_t count, std::uint64_t seed) {
  RandomStream random(seed, "numbers");
  while (edges.size() < count) {
    edges.push_back(static_cast<T>((random.uniform() - 0.5) *
                                   std::exp2(static_cast<double>(random.below(60)) - 30)));
  }
  return edges;
}

TEST_P(NumericKernels, DoublesAreIeee) {
  KernelHarness h("numeric", GetParam(), "double_math");
  using L = std::numeric_limits<double>;
  const auto a = with_edges<double>(
      {0.0, -0.0, 1.0, L::infinity(), L::quiet_NaN(), L::max(), L::denorm_min(), 1e-310, 3.0}, 96,
      1);
  const auto b =
      with_edges<double>({1.0, 3.0, 7.0, 2.0, 1.0, L::max(), 2.0, 1e300, L::quiet_NaN()}, 96, 2);
  const int n = 96;
  const auto da = h.buffer("a", a);
  const auto db = h.buffer("b", b);
  const auto out = h.buffer("out", std::vector<double>(8 * n));
  h.arguments(da, db, out, n).run({1, 1, 1}, {96, 1, 1});
  const auto o = h.read<double>(out, 8 * n);
  for (int i = 0; i < n; ++i) {
    const std::string at = std::to_string(a[i]) + ", " + std::to_string(b[i]);
    const double* r = &o[8 * i];
    expect_same(r[0], a[i] + b[i], "add " + at);
    expect_same(r[1], a[i] * b[i], "mul " + at);
    expect_same(r[2], a[i] / b[i], "div " + at);
    expect_same(r[3], std::fma(a[i], b[i], 1.0), "fma " + at);
    expect_same(r[4], std::sqrt(std::fabs(a[i])), "sqrt " + at);
    expect_same(r[5], std::fmin(a[i], b[i]), "fmin " + at);
    expect_same(r[6], static_cast<double>(static_cast<float>(a[i])), "float " + at);
    if (std::fabs(a[i]) < 1e18) {
      expect_same(r[7], static_cast<double>(static_cast<long long>(a[i])), "long " + at);
    }
  }
}

/// Rounds an exactly representable multiple of 2^-24 to half, nearest even; independent of the
/// product's routine.
std::uint16_t to_half(double v) {
  if (v == 0) {
    return 0;
  }
  int e = 0;
  (void)std::frexp(v, &e);
  const double ulp = std::ldexp(1.0, std::max(e - 11, -24));
  const double r = std::nearbyint(v / ulp) * ulp;
  (void)std::frexp(r, &e);
  if (e - 1 < -14) {
    return static_cast<std::uint16_t>(std::ldexp(r, 24));
  }
  return static_cast<std::uint16_t>(((e - 1 + 15) << 10) + static_cast<int>(std::ldexp(r, 11 - e)) -
                                    1024);
}

TEST_P(NumericKernels, PackedHalvesRoundOnce) {
  KernelHarness h("numeric", GetParam(), "half_math");
  const int n = 256;
  RandomStream random(7, "half");
  std::vector<double> v[3];
  std::vector<std::uint16_t> bits[3];
  std::uint64_t address[3];
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 2 * n; ++i) {
      const double x = static_cast<double>(1 + random.below(2000)) / 1024;
      const double y = std::bit_cast<std::uint64_t>(x) % 2 == 0 && k == 2 ? x / 512 : x;
      bits[k].push_back(to_half(y));
      v[k].push_back(static_cast<double>(std::bit_cast<_Float16>(bits[k].back())));
    }
    address[k] = h.buffer(std::string(1, static_cast<char>(97 + k)), bits[k]);
  }
  const auto out = h.buffer("out", std::vector<std::uint16_t>(8 * n));
  h.arguments(address[0], address[1], address[2], out, n).run({2, 1, 1}, {128, 1, 1});
  const auto o = h.read<std::uint16_t>(out, 8 * n);
  for (int i = 0; i < 2 * n; ++i) {
    const double a = v[0][i];
    const double b = v[1][i];
    const double c = v[2][i];
    const auto at = [&](int op) { return o[8 * (i / 2) + 2 * op + i % 2]; };
    ASSERT_EQ(at(0), to_half(a + b)) << a << " + " << b;
    ASSERT_EQ(at(1), to_half(a * b)) << a << " * " << b;
    ASSERT_EQ(at(2), to_half(a * b + c)) << a << " * " << b << " + " << c;
    ASSERT_EQ(at(3),
              to_half(i % 2 == 0 ? static_cast<float>(a) * 1.1F : static_cast<float>(b) * 0.3F));
  }
}

TEST_P(NumericKernels, Integers64MatchC) {
  KernelHarness h("numeric", GetParam(), "int64_math");
  const int n = 160;
  RandomStream random(8, "int64");
  std::vector<std::int64_t> a(n);
  std::vector<std::int64_t> b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<std::int64_t>(random.next()) >> random.below(40);
    b[i] = static_cast<std::int64_t>(random.next()) >> random.below(60);
    b[i] = b[i] == 0 || b[i] == -1 ? 3 : b[i];
  }
  const auto da = h.buffer("a", a);
  const auto db = h.buffer("b", b);
  const auto out = h.buffer("out", std::vector<std::int64_t>(12 * n));
  h.arguments(da, db, out, n).run({2, 1, 1}, {80, 1, 1});
  const auto o = h.read<std::int64_t>(out, 12 * n);
  for (int i = 0; i < n; ++i) {
    const auto x = static_cast<std::uint64_t>(a[i]);
    const auto y = static_cast<std::uint64_t>(b[i]);
    const auto s = [](std::uint64_t v) { return static_cast<std::int64_t>(v); };
    __extension__ using Wide = __int128;
    const std::int64_t want[12] = {s(x + y),
                                   s(x - y),
                                   s(x * y),
                                   a[i] / b[i],
                                   a[i] % b[i],
                                   s(x / y),
                                   s(x << (y & 63)),
                                   a[i] >> (y & 63),
                                   s(x >> (y & 63)),
                                   static_cast<std::int64_t>(Wide{a[i]} * b[i] >> 64),
                                   a[i] < b[i] ? a[i] : b[i],
                                   std::countl_zero(x) + 100 * std::popcount(y)};
    for (int k = 0; k < 12; ++k) {
      ASSERT_EQ(o[12 * i + k], want[k]) << "result " << k << " of " << a[i] << ", " << b[i];
    }
  }
}

TEST_P(NumericKernels, MathLibraryIsAccurate) {
  KernelHarness h("numeric", GetParam(), "transcendental");
  const int n = 300;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i - 150) * 0.173F + 0.01F;
  }
  x[0] = 1.0e5F; // needs the slow range reduction of sinf and cosf
  const auto dx = h.buffer("x", x);
  const auto out = h.buffer("out", std::vector<float>(12 * n));
  h.arguments(dx, out, n).run({3, 1, 1}, {100, 1, 1});
  const auto o = h.read<float>(out, 12 * n);
  for (int i = 1; i < n; ++i) {
    const double v = x[i];
    const double p = static_cast<float>(std::fabs(x[i]) + 0.125F);
    const double want[12] = {
        std::sin(v),        std::cos(v), std::exp(v * 0.25),        std::log(p),  1 / std::sqrt(p),
        std::sqrt(p),       1 / v,       std::pow(p, double{1.7F}), std::tanh(v), v / double{3.7F},
        std::atan2(v, 2.0), std::erf(v)};
    for (int k = 0; k < 12; ++k) {
      const double tolerance = 6e-7 * std::max(std::fabs(want[k]), 0.25);
      ASSERT_NEAR(o[12 * i + k], want[k], tolerance) << "function " << k << " of " << v;
    }
    // These three are correctly rounded by the language.
    ASSERT_EQ(o[12 * i + 5], std::sqrt(static_cast<float>(p)));
    ASSERT_EQ(o[12 * i + 6], 1.0F / x[i]);
    ASSERT_EQ(o[12 * i + 9], x[i] / 3.7F);
  }
  EXPECT_NEAR(o[0], std::sin(1.0e5), 3e-7);
  EXPECT_NEAR(o[1], std::cos(1.0e5), 3e-7);
}

/// f() under a rounding mode; through volatile, so that it is not moved out of it.
template <class F>
float rounded(int mode, F f) {
  std::fesetround(mode);
  volatile float r = f();
  std::fesetround(FE_TONEAREST);
  return r;
}

TEST_P(NumericKernels, RoundingModesAndSpecialValuesAreExact) {
  KernelHarness h("numeric", GetParam(), "exact_float");
  using L = std::numeric_limits<float>;
  const auto a = with_edges<float>({0.0F, -0.0F, 1.0F, L::infinity(), L::quiet_NaN(), L::max(),
                                    L::denorm_min(), 1e-40F, 3.0F, 16777217.0F, 0.5F, -2.5F, 1e10F},
                                   256, 9);
  const auto b = with_edges<float>({-0.0F, 0.0F, 3.0F, -L::infinity(), 1.0F, L::max(), 2.0F, 1e-3F,
                                    L::quiet_NaN(), 1e-8F, 0.5F, 1.5F, -1e-30F},
                                   256, 10);
  const int n = 256;
  const auto da = h.buffer("a", a);
  const auto db = h.buffer("b", b);
  const auto out = h.buffer("out", std::vector<float>(14 * n));
  const auto ints = h.buffer("ints", std::vector<int>(6 * n));
  h.arguments(da, db, out, ints, n).run({2, 1, 1}, {128, 1, 1});
  const auto o = h.read<float>(out, 14 * n);
  for (int i = 0; i < n; ++i) {
    volatile const float x = a[i];
    volatile const float y = b[i];
    const std::string at = std::to_string(a[i]) + ", " + std::to_string(b[i]);
    const auto sum = [&] { return x + y; };
    const auto product = [&] { return x * y; };
    const float* r = &o[14 * i];
    expect_same(r[0], x + y, "add.rn " + at);
    expect_same(r[1], rounded(FE_TOWARDZERO, sum), "add.rz " + at);
    expect_same(r[2], rounded(FE_UPWARD, sum), "add.ru " + at);
    expect_same(r[3], rounded(FE_DOWNWARD, sum), "add.rd " + at);
    expect_same(r[4], rounded(FE_TOWARDZERO, product), "mul.rz " + at);
    expect_same(r[5], rounded(FE_UPWARD, product), "mul.ru " + at);
    expect_same(r[6], rounded(FE_DOWNWARD, [&] { return std::fma(x, y, 1.0F); }), "fma.rd " + at);
    expect_same(r[7], std::fma(x, y, -x), "fma " + at);
    const float p = x * y;
    expect_same(r[8], p > 0 ? std::min(p, 1.0F) : 0.0F, "sat " + at);
    if (x != y) { // the sign of zero is the hardware's choice
      expect_same(r[9], std::fmin(x, y), "min " + at);
    }
    if (-x != std::fabs(y)) {
      expect_same(r[10], std::fmax(-x, std::fabs(y)), "max " + at);
    }
    expect_same(r[11], x / y, "div " + at);
    expect_same(r[12], std::sqrt(std::fabs(x)), "sqrt " + at);
    expect_same(r[13], std::nearbyint(x) + std::floor(y) * 0.5F, "round " + at);
  }
}

int volatile_copy(int v) {
  volatile int copy = v;
  return copy;
}

/// The saturating conversion of the chip; NaN gives 0.
int to_int(double v) {
  if (std::isnan(v)) {
    return 0;
  }
  return static_cast<int>(std::clamp(v, -2147483648.0, 2147483647.0));
}

TEST_P(NumericKernels, ConversionsToIntegerSaturate) {
  KernelHarness h("numeric", GetParam(), "exact_float");
  const auto a = with_edges<float>(
      {std::numeric_limits<float>::quiet_NaN(), 3e9F, -3e9F, 5e9F, -0.5F, 2.5F, 3.5F, -1.0F}, 64,
      11);
  const auto b = with_edges<float>({1.0F, 2.25F, -2.25F, 1e20F, 0.1F, -0.1F}, 64, 12);
  const int n = 64;
  const auto da = h.buffer("a", a);
  const auto db = h.buffer("b", b);
  const auto out = h.buffer("out", std::vector<float>(14 * n));
  const auto ints = h.buffer("ints", std::vector<int>(6 * n));
  h.arguments(da, db, out, ints, n).run({1, 1, 1}, {64, 1, 1});
  const auto got = h.read<int>(ints, 6 * n);
  for (int i = 0; i < n; ++i) {
    const float x = a[i];
    const int* p = &got[6 * i];
    EXPECT_EQ(p[0], to_int(std::trunc(x))) << x;
    EXPECT_EQ(p[1], to_int(std::nearbyint(x))) << x;
    EXPECT_EQ(p[2], to_int(std::ceil(b[i]))) << b[i];
    const double clamped = std::isnan(x) ? 0 : std::clamp(double{x}, 0.0, 4294967295.0);
    EXPECT_EQ(static_cast<unsigned>(p[3]), static_cast<unsigned>(clamped)) << x;
    EXPECT_EQ(p[4], (x < b[i] || !(x >= 0.0F)) ? 1 : 0) << x;
    const int bits = std::bit_cast<int>(x);
    EXPECT_EQ(std::bit_cast<float>(p[5]),
              rounded(FE_TOWARDZERO, [&] { return static_cast<float>(volatile_copy(bits)); }))
        << bits;
  }
}

} // namespace
} // namespace coulomb::functional::test
