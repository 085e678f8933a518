// SPDX-License-Identifier: Apache-2.0
#include "calibration/power/power_fit.hpp"

#include "base/error.hpp"
#include "calibration/fit/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace coulomb::calibration::power {
namespace {

namespace model = coulomb::power;
using E = config::EnergyConfig;
using Factors = std::vector<double>;

constexpr int kIterations = 6;
/// One watt in two hundred: what a factor must move for a prior of 1 to weigh as much as a point.
constexpr double kPriorWeight = 0.005 / kPriorWidth;

E with_factors(E energy, const Factors& factors) {
  for (std::size_t g = 0; g < factors.size(); ++g) {
    for (double E::*member : energy_groups()[g].members) {
      energy.*member *= factors[g];
    }
  }
  return energy;
}

double reading(const FitPoint& p, const Factors& factors) {
  config::GpuConfig gpu = p.gpu;
  gpu.power.energy = with_factors(gpu.power.energy, factors);
  model::OperatingPoint point = model::default_point(gpu);
  point.sm_clock_mhz = p.point.sm_clock_mhz;
  return model::estimate_power(gpu, p.kernel.activity, point).reading_w;
}

/// Relative change of the reading by a factor of group g.
double slope(const FitPoint& p, const Factors& factors, std::size_t g) {
  constexpr double kStep = 0.01;
  Factors moved = factors;
  moved[g] += kStep;
  return (reading(p, moved) - reading(p, factors)) / kStep / p.point.value;
}

/// Rows of a Gauss-Newton step: one for each fitted point, one for each prior.
struct Linearised {
  std::vector<std::vector<double>> columns; ///< by factor
  std::vector<double> target;
};

Linearised linearise(const std::vector<const FitPoint*>& points, const Factors& factors) {
  const std::size_t n = factors.size();
  Linearised rows{std::vector<std::vector<double>>(n), {}};
  for (const FitPoint* p : points) {
    rows.target.push_back(1.0 - reading(*p, factors) / p->point.value);
    for (std::size_t g = 0; g < n; ++g) {
      rows.columns[g].push_back(slope(*p, factors, g));
    }
  }
  const double weight = kPriorWeight * std::sqrt(static_cast<double>(points.size()));
  for (std::size_t prior = 0; prior < n; ++prior) {
    rows.target.push_back(weight * (1.0 - factors[prior]));
    for (std::size_t g = 0; g < n; ++g) {
      rows.columns[g].push_back(g == prior ? weight : 0.0);
    }
  }
  return rows;
}

/// One step; a factor that would leave its range is held at its end and the others solved again.
Factors step(const std::vector<const FitPoint*>& points, const Factors& factors) {
  const Linearised rows = linearise(points, factors);
  std::vector<std::optional<double>> held(factors.size());
  while (true) {
    std::vector<std::vector<double>> columns;
    std::vector<double> target = rows.target;
    for (std::size_t g = 0; g < factors.size(); ++g) {
      if (!held[g]) {
        columns.push_back(rows.columns[g]);
        continue;
      }
      for (std::size_t row = 0; row < target.size(); ++row) {
        target[row] -= rows.columns[g][row] * (*held[g] - factors[g]);
      }
    }
    const auto change = least_squares(columns, target);
    Factors next = factors;
    bool left = false;
    for (std::size_t g = 0, free = 0; g < factors.size(); ++g) {
      next[g] = held[g] ? *held[g] : factors[g] + change[free++];
      if (next[g] < kLeastFactor || next[g] > kGreatestFactor) {
        held[g] = next[g] = std::clamp(next[g], kLeastFactor, kGreatestFactor);
        left = true;
      }
    }
    if (!left) {
      return next;
    }
  }
}

double mean_error(const std::vector<FitPoint>& points, bool held_out, const Factors& factors) {
  double sum = 0.0;
  std::size_t count = 0;
  for (const FitPoint& p : points) {
    if (p.held_out == held_out) {
      sum += std::abs(reading(p, factors) / p.point.value - 1.0);
      ++count;
    }
  }
  return count == 0 ? 0.0 : sum / static_cast<double>(count);
}

} // namespace

const std::vector<EnergyGroup>& energy_groups() {
  static const std::vector<EnergyGroup> kGroups = {
      {"sm_cycle", {&E::sm_cycle_pj}},
      {"instructions",
       {&E::instruction_pj, &E::register_read_pj, &E::register_write_pj, &E::integer_pj,
        &E::fp32_pj, &E::fp16_pj, &E::fp64_pj, &E::special_pj, &E::uniform_pj,
        &E::shared_wavefront_pj}},
      {"caches", {&E::l1_sector_pj, &E::l2_read_pj, &E::l2_write_pj, &E::crossbar_sector_pj}},
      {"dram", {&E::dram_byte_pj}},
  };
  return kGroups;
}

PowerFit fit_energies(const std::vector<FitPoint>& points) {
  std::vector<const FitPoint*> fitted;
  for (const FitPoint& p : points) {
    if (!p.held_out) {
      fitted.push_back(&p);
    }
  }
  if (fitted.empty()) {
    throw UserError("power fit: no kernel's power is to be fitted");
  }
  const Factors start(energy_groups().size(), 1.0);
  Factors factors = start;
  for (int i = 0; i < kIterations; ++i) {
    factors = step(fitted, factors);
  }
  PowerFit fit;
  for (std::size_t g = 0; g < factors.size(); ++g) {
    FittedGroup group{std::string(energy_groups()[g].name), factors[g],
                      std::numeric_limits<double>::infinity(), 0.0};
    for (const FitPoint* p : fitted) {
      const double watts = slope(*p, factors, g) * p->point.value * factors[g];
      group.least_w = std::min(group.least_w, watts);
      group.greatest_w = std::max(group.greatest_w, watts);
    }
    fit.groups.push_back(std::move(group));
  }
  fit.fitted = fitted.size();
  fit.held_out = points.size() - fitted.size();
  fit.fitted_before = mean_error(points, false, start);
  fit.fitted_after = mean_error(points, false, factors);
  fit.held_out_before = mean_error(points, true, start);
  fit.held_out_after = mean_error(points, true, factors);
  return fit;
}

config::EnergyConfig scaled(config::EnergyConfig energy, const PowerFit& fit) {
  Factors factors;
  for (const FittedGroup& group : fit.groups) {
    factors.push_back(group.factor);
  }
  return with_factors(energy, factors);
}

} // namespace coulomb::calibration::power
