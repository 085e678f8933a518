// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/normal_deviates.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace coulomb::kernel {
namespace {

constexpr double kLn2 = 0.6931471805599453094;
constexpr int kLayers = 128;
/// Start of the tail, and area of each layer, of the 128-layer ziggurat (Marsaglia and Tsang,
/// 2000).
constexpr double kTailStart = 3.442619855899;
constexpr double kLayerArea = 9.91256303526217e-3;

constexpr double log_impl(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++exponent;
  }
  // log m = 2 atanh((m - 1) / (m + 1)); |t| < 0.172, so that 13 terms reach 1e-20.
  const double t = (m - 1.0) / (m + 1.0);
  const double t2 = t * t;
  double sum = 0.0;
  for (int k = 25; k >= 1; k -= 2) {
    sum = sum * t2 + 1.0 / k;
  }
  return static_cast<double>(exponent) * kLn2 + 2.0 * t * sum;
}

constexpr double exp_impl(double x) {
  const double scaled = x / kLn2;
  const int exponent = static_cast<int>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  const double r = x - static_cast<double>(exponent) * kLn2;
  // |r| < 0.35: 17 terms of Taylor's series reach 1e-21.
  double sum = 1.0;
  for (int k = 17; k >= 1; --k) {
    sum = 1.0 + sum * r / k;
  }
  return sum * std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

constexpr double sqrt_impl(double x) {
  double root = x > 1.0 ? x : 1.0;
  for (int i = 0; i < 60; ++i) { // Newton from above; only runs at compile time
    root = 0.5 * (root + x / root);
  }
  return root;
}

struct Layers {
  std::array<double, kLayers + 1>
      x{}; ///< right edge of each layer; [0] is the base's virtual width
  std::array<double, kLayers> ratio{}; ///< share of a layer that lies wholly under the curve
  std::array<double, kLayers + 1> f{}; ///< exp(-x^2 / 2)
};

constexpr Layers make_layers() {
  Layers t;
  double f = exp_impl(-0.5 * kTailStart * kTailStart);
  t.x[0] = kLayerArea / f;
  t.x[1] = kTailStart;
  for (int i = 2; i < kLayers; ++i) {
    const auto n = static_cast<std::size_t>(i);
    t.x[n] = sqrt_impl(-2.0 * log_impl(kLayerArea / t.x[n - 1] + f));
    f = exp_impl(-0.5 * t.x[n] * t.x[n]);
  }
  t.x[kLayers] = 0.0;
  for (std::size_t i = 0; i < kLayers; ++i) {
    t.ratio[i] = t.x[i + 1] / t.x[i];
  }
  for (std::size_t i = 0; i <= kLayers; ++i) {
    t.f[i] = exp_impl(-0.5 * t.x[i] * t.x[i]);
  }
  return t;
}

constexpr Layers kZiggurat = make_layers();

} // namespace

double portable_log(double x) {
  return log_impl(x);
}
double portable_exp(double x) {
  return exp_impl(x);
}

double NormalDeviates::next() {
  const std::uint64_t bits = stream_.next();
  const auto layer = static_cast<std::size_t>(bits & (kLayers - 1));
  // The upper 54 bits, signed: uniform in [-1, 1).
  const double u = static_cast<double>(static_cast<std::int64_t>(bits) >> 10) * 0x1.0p-53;
  if (std::fabs(u) < kZiggurat.ratio[layer]) [[likely]] {
    return u * kZiggurat.x[layer];
  }
  return reject(static_cast<int>(layer), u);
}

double NormalDeviates::reject(int layer, double u) {
  if (layer == 0) {
    return tail(u < 0.0);
  }
  const auto i = static_cast<std::size_t>(layer);
  const double x = u * kZiggurat.x[i];
  const double height = kZiggurat.f[i] + stream_.uniform() * (kZiggurat.f[i + 1] - kZiggurat.f[i]);
  return height < exp_impl(-0.5 * x * x) ? x : next();
}

double NormalDeviates::tail(bool negative) {
  double x = 0.0;
  double y = 0.0;
  do {
    x = -log_impl(1.0 - stream_.uniform()) / kTailStart;
    y = -log_impl(1.0 - stream_.uniform());
  } while (y + y < x * x);
  return negative ? -(kTailStart + x) : kTailStart + x;
}

} // namespace coulomb::kernel
