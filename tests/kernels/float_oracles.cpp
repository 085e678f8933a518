// SPDX-License-Identifier: Apache-2.0
// k18 mathematical functions, roundings, option prices, a Fourier transform.
#include "tests/kernels/kernel_case.hpp"

#include <algorithm>
#include <limits>

namespace coulomb::kernels_test {
namespace {

using std::size_t;
constexpr size_t kThreads = 64;

/// One result of each thread: o[i + 64 * row] = value(x[i]), within bound(x[i]); exact without one.
struct Row {
  std::function<double(double)> value;
  std::function<Bound(double)> bound = {};
};

std::function<Bound(double)> ulps(double n) {
  return [n](double) { return Bound{.ulps = n}; };
}
std::function<Bound(double)> absolute(double a) {
  return [a](double) { return Bound{.absolute = a}; };
}
std::function<Bound(double)> relative(double r) {
  return [r](double) { return Bound{.relative = r}; };
}

/// Registers x and the table's outputs.
template <class T>
void tabulate(Problem& p, const std::vector<T>& x, const std::vector<Row>& rows, T start) {
  std::vector<double> want;
  std::vector<Bound> bounds;
  for (const Row& row : rows) {
    for (size_t i = 0; i < kThreads; ++i) {
      want.push_back(row.value(x[i]));
      bounds.push_back(row.bound ? row.bound(x[i]) : Bound{});
    }
  }
  p.input(x);
  p.output_each<T, double>(std::vector<T>(want.size(), start), want,
                           [bounds](size_t i) { return bounds[i]; });
}

void mathf(Problem& p) {
  constexpr double kY = 1.75;
  const auto sum = [](double v) {
    return std::asin(v) + std::acos(v) + std::sinh(v) + std::cosh(v) + std::log1p(v) +
           std::expm1(v) + std::pow(10.0, v) + std::log10(v) + std::hypot(v, kY) + std::lgamma(v) +
           std::tgamma(v);
  };
  tabulate<float>(p, p.floats(kThreads, 0.05, 0.98),
                  {{[](double v) { return std::exp(v); }, ulps(1)},
                   {[](double v) { return std::log(v); }, ulps(1)},
                   {[](double v) { return std::sin(v); }, ulps(2)},
                   {[](double v) { return std::cos(v); }, ulps(2)},
                   {[](double v) { return std::pow(v, kY); }, ulps(4)},
                   {[](double v) { return std::tan(v); }, ulps(4)},
                   {[](double v) { return std::sqrt(v); }},
                   {[](double v) { return v / kY; }},
                   {[](double v) { return 1.0 / v; }},
                   {[](double v) { return 1.0 / std::sqrt(v); }, ulps(2)},
                   {[](double v) { return std::atan2(v, kY); }, ulps(3)},
                   {[](double v) { return std::fmod(v, kY); }},
                   {[](double v) { return std::exp2(v); }, ulps(2)},
                   {[](double v) { return std::log2(v); }, ulps(1)},
                   {[](double v) { return std::cbrt(v); }, ulps(1)},
                   {[](double v) { return std::tanh(v); }, ulps(2)},
                   {[](double v) { return std::erf(v); }, ulps(2)},
                   {sum, [](double) { return Bound{.absolute = 1e-5, .relative = 2e-6}; }}},
                  0.0F);
  p.value(static_cast<float>(kY));
}

/// Intrinsics and .approx instructions: bounds of the programming guide and of the PTX ISA.
void math_fast(Problem& p) {
  constexpr double kY = 1.75;
  tabulate<float>(
      p, p.floats(kThreads, 0.1, 3.0),
      {{[](double v) { return std::exp(v); },
        [](double v) { return Bound{.ulps = 2 + std::floor(1.173 * v)}; }},
       {[](double v) { return std::log(v); },
        [](double v) {
          return v >= 0.5 && v <= 2 ? Bound{.absolute = std::exp2(-21.41)} : Bound{.ulps = 3};
        }},
       {[](double v) { return std::sin(v); }, absolute(std::exp2(-21.41))},
       {[](double v) { return std::cos(v); }, absolute(std::exp2(-21.19))},
       {[](double v) { return std::pow(v, kY); }, relative(2e-6)},
       {[](double v) { return std::tan(v); },
        [](double v) {
          return Bound{.absolute = 4.5e-7 * (1 + std::abs(std::tan(v))) / std::abs(std::cos(v))};
        }},
       {[](double v) { return std::sqrt(v); }},
       {[](double v) { return v / kY; }, ulps(2)},
       {[](double v) { return 1.0 / v; }},
       {[](double v) { return 1.0 / std::sqrt(v); }},
       {[](double v) { return std::sin(v) * std::cos(v); }, absolute(1e-6)},
       {[](double v) { return std::tanh(v) + std::exp2(v); },
        [](double v) { return Bound{.absolute = std::exp2(-10.987) * std::tanh(v) + 2e-6}; }},
       {[](double v) { return std::sqrt(v) / v; }, relative(4e-7)},
       {[](double v) { return std::log2(v); }, absolute(std::exp2(-22.0) * 1.6)}},
      0.0F);
  p.value(static_cast<float>(kY));
}

enum class Direction : std::uint8_t { zero, up, down };

/// An exact value of double precision, rounded to float in one direction.
double directed(double exact, Direction direction) {
  const auto nearest = static_cast<float>(exact);
  const bool want_up = direction == Direction::up || (direction == Direction::zero && exact < 0);
  if (want_up) {
    return nearest < exact ? std::nextafterf(nearest, std::numeric_limits<float>::infinity())
                           : nearest;
  }
  return nearest > exact ? std::nextafterf(nearest, -std::numeric_limits<float>::infinity())
                         : nearest;
}

/// Twenty bits each, so that sums and products are exact in double precision and not in float.
void rounding(Problem& p) {
  constexpr double kY = 345679.0 / 131072.0;
  constexpr double kZ = -712345.0 / 131072.0;
  std::vector<float> x;
  for (size_t i = 0; i < kThreads; ++i) {
    x.push_back(static_cast<float>((static_cast<double>(p.random().below(1U << 20)) - (1U << 19)) /
                                   131072.0));
  }
  x[0] = 2.5F;
  x[1] = -3.5F;
  x[2] = static_cast<float>(kY);
  x[3] = static_cast<float>(kZ);
  x[4] = -0.0F;
  using enum Direction;
  const auto saturate = [](double v) { return std::clamp(v, 0.0, 1.0); };
  std::vector<Row> rows{
      {[](double v) { return directed(v + kY, zero); }},
      {[](double v) { return directed(v + kY, up); }},
      {[](double v) { return directed(v + kY, down); }},
      {[](double v) { return directed(v * kY, zero); }},
      {[](double v) { return directed(v * kY, up); }},
      {[](double v) { return directed(v * kY + kZ, down); }},
      {[](double v) { return directed(v * kY + kZ, zero); }},
      {[=](double v) { return saturate(v * kY + kZ); }, absolute(2e-6)},
      {[=](double v) { return saturate(v + kY); }},
      {[](double v) { return std::abs(v) - kY; }},
      {[](double v) { return -v * std::abs(kY) + kZ; }, absolute(2e-6)},
      {[](double v) { return std::floor(v); }},
      {[](double v) { return std::ceil(v); }},
      {[](double v) { return std::trunc(v); }},
      {[](double v) { return std::nearbyint(v); }},
      {[](double v) { return std::round(v); }},
      {[](double v) { return std::fmin(v, kY); }},
      {[](double v) { return std::fmax(std::abs(v), -kY); }},
      {[](double v) { return std::fdim(v, kY); }},
      {[](double v) { return std::copysign(v, kY); }},
      {[](double v) { return v < kY ? kZ : -kZ; }},
      {[](double v) { return v >= kY ? 1.0 : 0.0; }},
      {[](double v) { return 1.0 + (std::signbit(v) ? 1.0 : 0.0); }},
      // frexp, its exponent, ldexp, nextafter and scalbn with the thread's number: see below
      {[](double) { return 0.0; }},
      {[](double v) { return !(v < kY) ? v
                             : v != kZ ? kY
                                       : 0.0; }},
      {[](double v) { return std::fmax(v, kY); }},
      // min.xorsign.abs is executed for sm_86 only, and the last row keeps half of its bits
      {[](double) { return 0.0; }, absolute(1e38)},
      {[](double) { return 0.0; }, absolute(1e38)}};
  size_t thread = 0;
  rows[23].value = [thread](double v) mutable {
    int exponent = 0;
    const double fraction = std::frexp(v, &exponent);
    const auto next =
        static_cast<double>(std::nextafterf(static_cast<float>(v), static_cast<float>(kY)));
    return fraction + exponent + std::ldexp(v, 5) + next +
           std::scalbn(v, static_cast<int>(thread++));
  };
  rows[23].bound = [](double v) {
    return Bound{.absolute = 1e-4 + 4e-5 * std::abs(v), .relative = 4e-7};
  };
  tabulate<float>(p, x, rows, 0.0F);
  p.value(static_cast<float>(kY));
  p.value(static_cast<float>(kZ));
}

void mathd(Problem& p) {
  constexpr double kY = 1.75;
  auto x = p.doubles(kThreads, 0.05, 5.0);
  x[1] = 3.0;
  x[2] = kY;
  tabulate<double>(
      p, x,
      {{[](double v) { return std::exp(v); }, ulps(2)},
       {[](double v) { return std::log(v); }, ulps(2)},
       {[](double v) { return std::sin(v); }, ulps(3)},
       {[](double v) { return std::pow(v, kY); }, ulps(3)},
       {[](double v) { return std::sqrt(v); }},
       {[](double v) { return v / kY; }},
       {[](double v) { return 1.0 / v; }},
       {[](double v) { return 1.0 / std::sqrt(v); }, ulps(2)},
       {[](double v) { return std::fma(v, kY, 1.0); }},
       {[](double v) { return std::floor(v) + 2.0 + std::trunc(v) + std::nearbyint(v); }},
       {[](double v) { return std::fmin(v, kY) + std::fmax(v, 3.0); }},
       {[](double v) { return v < kY ? 1.0 : -1.0; }},
       {[](double v) { return std::atan(v) + std::tanh(v) + std::erf(v); }, absolute(4e-15)},
       {[](double v) { return v + kY + v * kY + (v * kY + v); }, ulps(4)},
       {[](double v) { return -v * kY; }},
       {[](double v) { return v < kY || v == 3.0 ? 2.0 : -9.0; }}},
      -9.0);
  p.value(kY);
}

void blackscholes(Problem& p) {
  constexpr double kRate = 0.02F;
  constexpr double kVolatility = 0.3F;
  const auto s = p.floats(100, 5.0, 30.0);
  const auto x = p.floats(100, 1.0, 100.0);
  const auto t = p.floats(100, 0.25, 10.0);
  const auto normal = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
  std::vector<double> call;
  std::vector<double> put;
  for (size_t i = 0; i < 100; ++i) {
    const double root = kVolatility * std::sqrt(static_cast<double>(t[i]));
    const double d1 = (std::log(static_cast<double>(s[i]) / x[i]) +
                       (kRate + 0.5 * kVolatility * kVolatility) * t[i]) /
                      root;
    const double discounted = x[i] * std::exp(-kRate * t[i]);
    call.push_back(s[i] * normal(d1) - discounted * normal(d1 - root));
    put.push_back(discounted * normal(root - d1) - s[i] * normal(-d1));
  }
  p.input(s);
  p.input(x);
  p.input(t);
  p.output(std::vector<float>(100, 0.0F), call, {.absolute = 130 * 1e-6});
  p.output(std::vector<float>(100, 0.0F), put, {.absolute = 130 * 1e-6});
  p.value(0.02F);
  p.value(0.3F);
  p.value(100);
}

/// The transform of the bit-reversed sequence, by its definition.
void lerp_fft(Problem& p) {
  constexpr size_t kSize = 512;
  const auto g = p.floats(2 * kSize);
  const auto reversed = [](size_t i) {
    size_t out = 0;
    for (size_t bit = 0; bit < 9; ++bit) {
      out |= ((i >> bit) & 1U) << (8 - bit);
    }
    return out;
  };
  std::vector<double> want(2 * kSize, 0.0);
  for (size_t k = 0; k < kSize; ++k) {
    for (size_t j = 0; j < kSize; ++j) {
      const double angle = -2.0 * 3.14159265358979 * static_cast<double>(k * j % kSize) / kSize;
      const double re = g[2 * reversed(j)];
      const double im = g[2 * reversed(j) + 1];
      want[2 * k] += re * std::cos(angle) - im * std::sin(angle);
      want[2 * k + 1] += re * std::sin(angle) + im * std::cos(angle);
    }
  }
  p.output(g, want, {.absolute = 9 * 512 * 6e-8});
  p.value(static_cast<int>(kSize));
  p.value(-1.0F);
}

constexpr const char* kFile = "k18_math.cu";

constexpr KernelCase kCases[] = {
    {kFile, "mathf", {1}, {64}, 0, mathf, kMathTable},
    {kFile, "math_fast", {1}, {64}, 0, math_fast, kMathTable},
    {kFile, "rounding", {1}, {64}, 0, rounding, "exact, but for sums that may be contracted"},
    {kFile, "mathd", {1}, {64}, 0, mathd, kMathTable},
    {kFile,
     "blackscholes",
     {1},
     {64},
     0,
     blackscholes,
     "7.5e-8 of the polynomial (Abramowitz and Stegun 26.2.17), times prices below 130, and "
     "roundings"},
    {kFile, "lerp_fft", {1}, {256}, 0, lerp_fft, kSumRounding},
};

} // namespace

std::span<const KernelCase> float_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
