// SPDX-License-Identifier: Apache-2.0
#include "calibration/noise/noise_agreement.hpp"

#include "calibration/statistics.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace coulomb::calibration {
namespace {

constexpr std::size_t kGroups = 5;
constexpr double kUsPerMs = 1e3;

/// The configurations at `places`.
std::vector<Launches> pick(const std::vector<Launches>& all, std::span<const std::size_t> places) {
  std::vector<Launches> some;
  for (const std::size_t i : places) {
    some.push_back(all[i]);
  }
  return some;
}

std::vector<std::int32_t> sorted(std::vector<std::int32_t> values) {
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<double> present(const std::vector<std::optional<double>>& values) {
  std::vector<double> out;
  for (const auto& v : values) {
    if (v) {
      out.push_back(*v);
    }
  }
  return out;
}

void add_quantiles(const std::string& name,
                   const char* unit,
                   double scale,
                   const std::vector<double>& recorded,
                   const std::vector<double>& simulated,
                   const std::vector<double>& at,
                   std::vector<NoiseFigure>& figures) {
  const auto figure = [&](const std::vector<double>& values, double q) {
    const std::optional<double> value = quantile(values, q);
    return value ? std::optional(*value * scale) : std::nullopt;
  };
  for (const double q : at) {
    figures.push_back({fmt::format("{} p{:g}", name, 100.0 * q), unit, figure(recorded, q),
                       figure(simulated, q)});
  }
}

} // namespace

std::vector<Launches> make_up(const RecordedNoise& recorded,
                              const MeasurementNoise& noise,
                              ClockState clock,
                              std::uint64_t seed) {
  std::vector<Launches> made;
  made.reserve(recorded.launches.size());
  for (std::size_t i = 0; i < recorded.launches.size(); ++i) {
    const Launches& real = recorded.launches[i];
    RandomStream random(seed, "measurement noise", recorded.rows[i]);
    const double true_ms = *quantile({real.begin() + 1, real.end()}, 0.5);
    made.push_back(noise.samples(true_ms, real.size(), random, clock));
  }
  return made;
}

NoiseAgreement agreement(const RecordedNoise& recorded,
                         const MeasurementNoise& noise,
                         ClockState clock,
                         std::uint64_t seed) {
  const double quantum = noise.parameters().quantum_ms;
  const std::vector<Launches> made = make_up(recorded, noise, clock, seed);
  const Jitter real = jitter_of(recorded.launches, quantum);
  const Jitter ours = jitter_of(made, quantum);
  NoiseAgreement result;
  result.configurations = recorded.launches.size();
  result.ks = ks_distance(real.residuals, ours.residuals);
  result.ks_range = ks_distance(sorted(real.ranges), sorted(ours.ranges));
  std::vector<std::size_t> order(recorded.launches.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return real.medians_ms[a] < real.medians_ms[b];
  });
  for (std::size_t g = 0; g < kGroups && order.size() >= kGroups; ++g) {
    const std::size_t from = g * order.size() / kGroups;
    const std::span<const std::size_t> places(order.data() + from,
                                              (g + 1) * order.size() / kGroups - from);
    result.ks_fifths.push_back(
        ks_distance(jitter_of(pick(recorded.launches, places), quantum).residuals,
                    jitter_of(pick(made, places), quantum).residuals));
  }
  const double step_us = (quantum > 0.0 ? quantum : 1e-6) / 2.0 * kUsPerMs;
  const auto residuals_of = [](const Jitter& j) {
    return std::vector<double>(j.residuals.begin(), j.residuals.end());
  };
  add_quantiles("residual", "us", step_us, residuals_of(real), residuals_of(ours),
                {0.01, 0.05, 0.25, 0.75, 0.95, 0.99, 0.999}, result.figures);
  add_quantiles("first-run excess", "us", kUsPerMs, real.first_excess_ms, ours.first_excess_ms,
                {0.05, 0.25, 0.5, 0.75, 0.95}, result.figures);
  add_quantiles("lag-1 autocorrelation", "", 1.0, present(real.lag1), present(ours.lag1),
                {0.05, 0.5, 0.95}, result.figures);
  return result;
}

} // namespace coulomb::calibration
