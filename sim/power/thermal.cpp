// SPDX-License-Identifier: Apache-2.0
#include "sim/power/thermal.hpp"

#include "base/error.hpp"
#include "sim/power/area.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coulomb::power {

ThermalNetwork::ThermalNetwork(const config::GpuConfig& gpu)
    : thermal_(gpu.power.thermal), sms_(gpu.sms),
      columns_(static_cast<std::size_t>(std::ceil(std::sqrt(double{1} * gpu.sms)))) {
  const AreaEstimate area = estimate_area(gpu);
  const double sm_share = std::min(area.sm_mm2 / area.total_mm2, 0.99 / double(sms_));
  const double uncore_share = 1.0 - sm_share * static_cast<double>(sms_);
  sm_conductance_ = sm_share / thermal_.die_kelvin_per_watt;
  uncore_conductance_ = uncore_share / thermal_.die_kelvin_per_watt;
  sm_capacity_ = sm_share * thermal_.die_joule_per_kelvin;
  uncore_capacity_ = uncore_share * thermal_.die_joule_per_kelvin;
  spreader_capacity_ = thermal_.spreader_seconds / thermal_.spreader_kelvin_per_watt;
  sink_capacity_ = thermal_.sink_seconds / thermal_.sink_kelvin_per_watt;
}

template <class Visit>
void ThermalNetwork::neighbours(std::size_t i, const Visit& visit) const {
  if (i % columns_ > 0) {
    visit(i - 1);
  }
  if (i % columns_ + 1 < columns_ && i + 1 < sms_) {
    visit(i + 1);
  }
  if (i >= columns_) {
    visit(i - columns_);
  }
  if (i + columns_ < sms_) {
    visit(i + columns_);
  }
}

double ThermalNetwork::lateral_w(const std::vector<double>& sm, std::size_t i) const {
  double watts = 0.0;
  neighbours(i,
             [&](std::size_t j) { watts += thermal_.lateral_watt_per_kelvin * (sm[j] - sm[i]); });
  return watts;
}

double ThermalNetwork::die_mean(const Temperatures& state) const {
  const double sms = std::accumulate(state.sm.begin(), state.sm.end(), 0.0);
  const double all = sm_conductance_ * static_cast<double>(sms_) + uncore_conductance_;
  return (sm_conductance_ * sms + uncore_conductance_ * state.uncore) / all;
}

Temperatures ThermalNetwork::cold() const {
  const double air = thermal_.ambient_c;
  return {std::vector<double>(sms_, air), air, air, air};
}

Temperatures ThermalNetwork::steady(std::span<const double> sm_w, double uncore_w) const {
  COULOMB_CHECK(sm_w.size() == sms_, "one power for each SM");
  constexpr int kSweeps = 1000;
  constexpr double kConverged = 1e-9; // K
  const double total = std::accumulate(sm_w.begin(), sm_w.end(), uncore_w);
  Temperatures t;
  t.sink = thermal_.ambient_c + total * thermal_.sink_kelvin_per_watt;
  t.spreader = t.sink + total * thermal_.spreader_kelvin_per_watt;
  t.uncore = t.spreader + uncore_w / uncore_conductance_;
  t.sm.assign(sms_, t.spreader);
  for (int sweep = 0; sweep < kSweeps; ++sweep) { // Gauss-Seidel: the matrix is dominant
    double change = 0.0;
    for (std::size_t i = 0; i < sms_; ++i) {
      double flow = sm_w[i] + sm_conductance_ * t.spreader;
      double conductance = sm_conductance_;
      neighbours(i, [&](std::size_t j) {
        flow += thermal_.lateral_watt_per_kelvin * t.sm[j];
        conductance += thermal_.lateral_watt_per_kelvin;
      });
      const double next = flow / conductance;
      change = std::max(change, std::abs(next - t.sm[i]));
      t.sm[i] = next;
    }
    if (change < kConverged) {
      break;
    }
  }
  return t;
}

void ThermalNetwork::advance(Temperatures& state,
                             std::span<const double> sm_w,
                             double uncore_w,
                             double seconds) const {
  COULOMB_CHECK(sm_w.size() == sms_, "one power for each SM");
  constexpr double kStability = 0.2; // of the shortest time constant
  const double shortest = sm_capacity_ / (sm_conductance_ + 4.0 * thermal_.lateral_watt_per_kelvin);
  const auto steps = static_cast<std::size_t>(std::ceil(seconds / (kStability * shortest)));
  const double dt = steps == 0 ? 0.0 : seconds / static_cast<double>(steps);
  std::vector<double> flow(sms_);
  for (std::size_t step = 0; step < steps; ++step) {
    double into_spreader = uncore_conductance_ * (state.uncore - state.spreader);
    for (std::size_t i = 0; i < sms_; ++i) {
      const double down = sm_conductance_ * (state.sm[i] - state.spreader);
      flow[i] = sm_w[i] - down + lateral_w(state.sm, i);
      into_spreader += down;
    }
    const double into_sink = (state.spreader - state.sink) / thermal_.spreader_kelvin_per_watt;
    const double into_air = (state.sink - thermal_.ambient_c) / thermal_.sink_kelvin_per_watt;
    state.uncore +=
        dt / uncore_capacity_ * (uncore_w - uncore_conductance_ * (state.uncore - state.spreader));
    for (std::size_t i = 0; i < sms_; ++i) {
      state.sm[i] += dt / sm_capacity_ * flow[i];
    }
    state.spreader += dt / spreader_capacity_ * (into_spreader - into_sink);
    state.sink += dt / sink_capacity_ * (into_sink - into_air);
  }
}

} // namespace coulomb::power
