// SPDX-License-Identifier: Apache-2.0
#include "calibration/power/power_validation.hpp"

#include "calibration/power/application.hpp"

#include <cmath>
#include <fmt/format.h>

namespace coulomb::calibration::power {
namespace {

namespace model = coulomb::power;

constexpr double kTransientSeconds = 6.0;

/// What one point takes.
struct Context {
  const LoadGpu& load;
  const SimulateKernel& simulate;
};

double reading(const config::GpuConfig& gpu, const model::PowerEstimate& estimate) {
  return model::sensor_reading(gpu.power.sensor, estimate.total_w);
}

model::OperatingPoint at(const config::GpuConfig& gpu, double mhz) {
  model::OperatingPoint point = model::default_point(gpu);
  point.sm_clock_mhz = mhz;
  return point;
}

double rise(const config::GpuConfig& gpu, const SimulatedKernel& kernel, double mhz) {
  // Uncapped: the recorded load stays below the limit.
  const auto trace = model::control_trace(gpu, kernel.activity, kernel.retiming, mhz,
                                          gpu.power.limit.maximum_w * 10.0, kTransientSeconds);
  return trace.back().temperature_c - trace.front().temperature_c;
}

double of_kernel(const PowerPoint& point, const config::GpuConfig& gpu, const SimulatedKernel& k) {
  if (point.unit == "ms") {
    return 1000.0 * k.activity.time_s;
  }
  if (point.group == "transient") {
    return rise(gpu, k, point.sm_clock_mhz);
  }
  if (point.group == "capped") {
    const auto settled = model::settle(gpu, k.activity, k.retiming, point.sm_clock_mhz,
                                       point.limit_w.value_or(gpu.power.limit.board_w));
    return reading(gpu, settled.power);
  }
  return reading(gpu, model::estimate_power(gpu, k.activity, at(gpu, point.sm_clock_mhz)));
}

PowerCheck check_point(const PowerPoint& point, const Context& context) {
  PowerCheck check{.point = point};
  if (point.group == "not_runnable") {
    check.note = "no GPU file, or no kernel, for it";
    return check;
  }
  const config::GpuConfig gpu = context.load(point.gpu);
  if (point.group == "sleep") {
    check.predicted = reading(gpu, model::sleep_power(gpu));
  } else if (point.group == "idle") {
    check.predicted = reading(gpu, model::idle_power(gpu, at(gpu, point.sm_clock_mhz)));
  } else {
    const SimulationAnswer answer = context.simulate(point.gpu, point.spec, point.sm_clock_mhz);
    check.note = answer.problem;
    if (answer.kernel) {
      check.predicted = of_kernel(point, gpu, *answer.kernel);
    }
  }
  return check;
}

} // namespace

std::vector<PowerCheck> check_power_points(const std::vector<PowerPoint>& points,
                                           const LoadGpu& load,
                                           const SimulateKernel& simulate) {
  std::vector<PowerCheck> checks;
  for (const PowerPoint& point : points) {
    checks.push_back(point.group == "application" ? PowerCheck{.point = point}
                                                  : check_point(point, {load, simulate}));
  }
  check_applications(checks, load);
  for (PowerCheck& check : checks) {
    check.fitted = check.fitted || check.point.fitted;
    check.within =
        check.predicted && std::abs(*check.predicted - check.point.value) <= check.point.tolerance;
  }
  return checks;
}

} // namespace coulomb::calibration::power
