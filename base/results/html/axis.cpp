// SPDX-License-Identifier: Apache-2.0
#include "base/results/html/axis.hpp"

#include "base/error.hpp"
#include "base/results/html/text.hpp"

#include <algorithm>
#include <cmath>

namespace coulomb::html {
namespace {

constexpr double kIntervals = 5.0;   ///< aimed at between the ticks of a linear axis
constexpr std::size_t kMinTicks = 4; ///< of a logarithmic axis
constexpr std::size_t kMaxTicks = 8;
constexpr double kLogarithmicFrom = 5.0; ///< greatest / least, from which on small values vanish

/// 1, 2 or 5 times a power of ten, so that `range` has about kIntervals of them.
double round_step(double range) {
  const double raw = range / kIntervals;
  const double decade = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * decade * (1.0 + 1e-9)) {
      return factor * decade;
    }
  }
  return 10.0 * decade;
}

/// Multiples of `step` within [low, high].
std::vector<double> multiples(double low, double high, double step) {
  std::vector<double> ticks;
  const double slack = 1e-9 * step;
  for (double n = std::ceil((low - slack) / step); n * step <= high + slack; n += 1.0) {
    ticks.push_back(n * step + 0.0); // no -0
  }
  return ticks;
}

std::vector<double> logarithmic_ticks(double low, double high) {
  const std::vector<std::vector<double>> mantissas = {
      {1.0}, {1.0, 3.0}, {1.0, 2.0, 5.0}, {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0}};
  const auto first = static_cast<int>(std::floor(std::log10(low)));
  const auto last = static_cast<int>(std::ceil(std::log10(high)));
  for (const auto& set : mantissas) {
    std::vector<double> ticks;
    for (int e = first; e <= last; ++e) {
      for (const double m : set) {
        const double tick = m * std::pow(10.0, e);
        if (tick >= low && tick <= high) {
          ticks.push_back(tick);
        }
      }
    }
    if (ticks.size() < kMinTicks) {
      continue;
    }
    const std::size_t stride = (ticks.size() + kMaxTicks - 1) / kMaxTicks;
    std::vector<double> kept;
    for (std::size_t i = 0; i < ticks.size(); i += stride) {
      kept.push_back(ticks[i]);
    }
    return kept;
  }
  return multiples(low, high, round_step(high - low));
}

} // namespace

double Axis::fraction(double value) const {
  return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

Axis linear_axis(std::string title, std::span<const double> values) {
  Axis axis{.title = std::move(title), .low = 0.0, .high = 1.0, .logarithmic = false, .ticks = {}};
  if (!values.empty()) {
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    axis.low = *least;
    axis.high = *greatest;
  }
  if (!(axis.high > axis.low)) {
    const double around = axis.low == 0.0 ? 1.0 : 0.1 * std::abs(axis.low);
    axis.low -= around;
    axis.high += around;
  }
  const double step = round_step(axis.high - axis.low);
  axis.low = std::floor(axis.low / step + 1e-9) * step;
  axis.high = std::ceil(axis.high / step - 1e-9) * step;
  axis.ticks = multiples(axis.low, axis.high, step);
  return axis;
}

Axis logarithmic_axis(std::string title, std::span<const double> values) {
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  COULOMB_CHECK(!values.empty() && *least > 0.0 && *greatest > *least,
                "a logarithmic axis needs different values above 0");
  constexpr double kBeyond = 1.05;
  Axis axis{.title = std::move(title),
            .low = *least / kBeyond,
            .high = *greatest * kBeyond,
            .logarithmic = true,
            .ticks = {}};
  axis.ticks = logarithmic_ticks(axis.low, axis.high);
  return axis;
}

Axis fitting_axis(std::string title, std::span<const double> values) {
  if (!values.empty()) {
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    if (*least > 0.0 && *greatest >= kLogarithmicFrom * *least) {
      return logarithmic_axis(std::move(title), values);
    }
  }
  return linear_axis(std::move(title), values);
}

Axis counting_axis(std::string title, std::uint64_t last) {
  const double high = std::max(1.0, static_cast<double>(last));
  const double step = std::max(1.0, round_step(high));
  return {.title = std::move(title),
          .low = 0.0,
          .high = high,
          .logarithmic = false,
          .ticks = multiples(0.0, high, step)};
}

std::string tick_label(double value) {
  return format_number(value, 5);
}

} // namespace coulomb::html
