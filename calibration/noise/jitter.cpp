// SPDX-License-Identifier: Apache-2.0
#include "calibration/noise/jitter.hpp"

#include "base/error.hpp"
#include "calibration/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace coulomb::calibration {
namespace {

constexpr double kNanosecondMs = 1e-6;
/// Event times come as single-precision ms: half a unit in the last place is 2^-24 of the value.
constexpr double kSinglePrecision = 6e-8;
constexpr double kMultiples = 0.99;
constexpr double kResolved = 8.0;     ///< a step is that many times what hides it
constexpr int kCoarsestStepNs = 8192; ///< timers of events step by 1.024 us or less
constexpr std::size_t kLeastSide = 4; ///< runs on each side of a step

double median(std::span<const double> values) {
  return *quantile({values.begin(), values.end()}, 0.5);
}

/// Whether the times are multiples of the step, as well as their format can tell.
bool are_multiples(std::span<const Launches> configurations, std::size_t times, double step_ns) {
  const auto allowed = static_cast<std::size_t>((1.0 - kMultiples) * double(times));
  std::size_t misses = 0;
  for (const Launches& launches : configurations) {
    for (const double ms : launches) {
      const double ns = ms / kNanosecondMs;
      const double off = std::abs(ns - std::round(ns / step_ns) * step_ns);
      // Recorded in whole nanoseconds: half of one more. A step that this cannot resolve is none.
      const double blur = 0.5 + kSinglePrecision * ns;
      misses += off <= blur && blur <= step_ns / kResolved ? 0 : 1;
      if (misses > allowed) {
        return false;
      }
    }
  }
  return true;
}

} // namespace

Jitter jitter_of(std::span<const Launches> configurations, double quantum_ms) {
  const double step = (quantum_ms > 0.0 ? quantum_ms : kNanosecondMs) / 2.0;
  Jitter jitter;
  for (const Launches& launches : configurations) {
    COULOMB_CHECK(launches.size() >= kLeastLaunches, "{} launches", launches.size());
    std::vector<double> steps;
    for (const double ms : launches) {
      steps.push_back(2.0 * std::round(ms / step / 2.0));
    }
    const std::span<const double> later(steps.begin() + 1, steps.end());
    const double middle = median(later);
    std::vector<double> own;
    for (const double s : later) {
      own.push_back(s - middle);
      jitter.residuals.push_back(static_cast<std::int32_t>(std::lround(s - middle)));
    }
    jitter.medians_ms.push_back(middle * step);
    jitter.first_excess_ms.push_back((steps[0] - middle) * step);
    jitter.lag1.push_back(lag1_autocorrelation(own));
    jitter.ranges.push_back(
        static_cast<std::int32_t>(std::lround(*quantile(own, 0.9) - *quantile(own, 0.1))));
  }
  std::sort(jitter.residuals.begin(), jitter.residuals.end());
  return jitter;
}

double ks_distance(std::span<const std::int32_t> a, std::span<const std::int32_t> b) {
  std::size_t i = 0;
  std::size_t j = 0;
  double largest = 0.0;
  while (i < a.size() && j < b.size()) {
    const std::int32_t at = std::min(a[i], b[j]);
    while (i < a.size() && a[i] == at) {
      ++i;
    }
    while (j < b.size() && b[j] == at) {
      ++j;
    }
    largest =
        std::max(largest, std::abs(double(i) / double(a.size()) - double(j) / double(b.size())));
  }
  return largest;
}

std::optional<double> lag1_autocorrelation(std::span<const double> values) {
  const std::optional<double> middle = mean(values);
  double variance = 0.0;
  double product = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    variance += (values[i] - *middle) * (values[i] - *middle);
    product += i == 0 ? 0.0 : (values[i] - *middle) * (values[i - 1] - *middle);
  }
  return variance > 0.0 ? std::optional(product / variance) : std::nullopt;
}

double timer_quantum_ms(std::span<const Launches> configurations) {
  std::size_t times = 0;
  for (const Launches& launches : configurations) {
    times += launches.size();
  }
  for (int step_ns = kCoarsestStepNs; step_ns > 1 && times > 0; --step_ns) {
    if (are_multiples(configurations, times, step_ns)) {
      return step_ns * kNanosecondMs;
    }
  }
  return 0.0;
}

double level_step(const Launches& launches) {
  double clearest = 1.0;
  for (std::size_t cut = 1 + kLeastSide; cut + kLeastSide <= launches.size(); ++cut) {
    const std::span<const double> all(launches);
    const double ratio = median(all.subspan(cut)) / median(all.subspan(1, cut - 1));
    if (std::abs(std::log(ratio)) > std::abs(std::log(clearest))) {
      clearest = ratio;
    }
  }
  return clearest;
}

} // namespace coulomb::calibration
