// SPDX-License-Identifier: Apache-2.0
#include "calibration/power/application.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace coulomb::calibration::power {
namespace {

namespace model = coulomb::power;

/// A program of which only its speed at some clocks is known. All SMs are taken to be busy all the
/// time; what else its work costs is `work_w` times its rate times v^2.
class Application {
public:
  explicit Application(config::GpuConfig gpu) : gpu_(std::move(gpu)) {}

  void add_speed(double mhz, double rate) { speeds_[mhz] = rate; }
  [[nodiscard]] const config::GpuConfig& gpu() const { return gpu_; }
  [[nodiscard]] double lowest_clock() const { return speeds_.begin()->first; }

  /// Rate at a clock: straight lines between the known ones, in proportion to the clock beyond.
  [[nodiscard]] double rate(double mhz) const {
    const auto above = speeds_.lower_bound(mhz);
    if (above == speeds_.begin()) {
      return above->second * mhz / above->first;
    }
    if (above == speeds_.end()) {
      return std::prev(above)->second * mhz / std::prev(above)->first;
    }
    const auto below = std::prev(above);
    const double part = (mhz - below->first) / (above->first - below->first);
    return below->second + part * (above->second - below->second);
  }
  [[nodiscard]] double reading(double mhz) const {
    constexpr double kPicojoule = 1e-12;
    config::GpuConfig gpu = gpu_;
    gpu.power.energy.instruction_pj = work_w_ / kPicojoule;
    const model::Activity second{
        1.0,
        mhz,
        {{"smsp__inst_executed.sum", rate(mhz)}, {"sm__cycles_active.sum", mhz * 1e6 * gpu.sms}}};
    model::OperatingPoint point = model::default_point(gpu);
    point.sm_clock_mhz = mhz;
    return model::estimate_power(gpu, second, point).reading_w;
  }
  /// Sets the work's power such that the reading at `mhz` is `watts`: it is linear in it but for
  /// the temperature of the leakage, so a secant finds it.
  void fit(double mhz, double watts) {
    constexpr double kFirst = 100.0;
    constexpr int kSteps = 8;
    for (int i = 0; i < kSteps; ++i) {
      const double at = work_w_;
      const double here = reading(mhz);
      work_w_ = at + kFirst;
      const double slope = (reading(mhz) - here) / kFirst;
      work_w_ = std::max(0.0, at + (watts - here) / slope);
    }
  }
  /// The highest clock at which the reading stays within `limit_w`.
  [[nodiscard]] double clock_within(double limit_w) const {
    const config::PowerLimitConfig& limit = gpu_.power.limit;
    double mhz = limit.highest_clock_mhz;
    while (mhz > limit.lowest_clock_mhz && reading(mhz) > limit_w) {
      mhz -= 1.0; // the controller dithers between two steps
    }
    return mhz;
  }

private:
  config::GpuConfig gpu_;
  std::map<double, double> speeds_; ///< clock, MHz: rate
  double work_w_ = 0.0;             ///< at rate 1 and v = 1
};

using Applications = std::map<std::pair<std::string, std::string>, Application>;

std::pair<std::string, std::string> key(const PowerPoint& point) {
  return {point.gpu, point.application};
}

bool is_application(const PowerCheck& check) {
  return check.point.group == "application";
}

Applications known_applications(const std::vector<PowerCheck>& checks, const LoadGpu& load) {
  Applications known;
  for (const PowerCheck& check : checks) {
    if (is_application(check) && check.point.work_rate) {
      known.try_emplace(key(check.point), load(check.point.gpu))
          .first->second.add_speed(check.point.sm_clock_mhz, *check.point.work_rate);
    }
  }
  return known;
}

} // namespace

void check_applications(std::vector<PowerCheck>& checks, const LoadGpu& load) {
  Applications known = known_applications(checks, load);
  for (PowerCheck& check : checks) {
    const PowerPoint& point = check.point;
    if (is_application(check) && point.unit == "W" &&
        point.sm_clock_mhz == known.at(key(point)).lowest_clock()) {
      known.at(key(point)).fit(point.sm_clock_mhz, point.value);
      check.fitted = true;
    }
  }
  for (PowerCheck& check : checks) {
    if (!is_application(check)) {
      continue;
    }
    const auto found = known.find(key(check.point));
    if (found == known.end()) {
      check.note = "the application has no row with its work rate";
    } else if (check.point.unit == "W") {
      const double limit = found->second.gpu().power.limit.board_w;
      const double mhz = std::min(check.point.sm_clock_mhz, found->second.clock_within(limit));
      check.predicted = found->second.reading(mhz);
      if (mhz < check.point.sm_clock_mhz) {
        check.note = fmt::format("the limit holds it at {:.0f} MHz", mhz);
      }
    } else {
      const double mhz = found->second.clock_within(check.point.limit_w.value_or(0.0));
      check.predicted = found->second.rate(mhz);
      check.note = fmt::format("clock {:.0f} MHz", mhz);
    }
  }
}

} // namespace coulomb::calibration::power
