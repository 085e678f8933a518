// SPDX-License-Identifier: Apache-2.0
#include "calibration/robust/robust_metrics.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace coulomb::calibration {
namespace {

constexpr std::array kScores{RobustScore::mean, RobustScore::cvar, RobustScore::worst};

std::string time_metric(std::string_view of_the_draws) {
  return fmt::format("{}time_ms.{}", kRobustPrefix, of_the_draws);
}

std::string deviation_metric() {
  return time_metric("relative_deviation");
}

double relative_deviation(std::span<const double> values, double mean) {
  if (values.size() < 2) {
    return 0.0;
  }
  double squares = 0.0;
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
  }
  return std::sqrt(squares / static_cast<double>(values.size() - 1)) / mean;
}

} // namespace

std::string robust_metric(RobustScore score) {
  return time_metric(to_string(score));
}

std::vector<std::string> robust_metric_names() {
  std::vector<std::string> names;
  for (const RobustScore score : kScores) {
    names.push_back(robust_metric(score));
  }
  names.push_back(deviation_metric());
  return names;
}

std::map<std::string, double> robust_metrics(std::span<const double> times_ms) {
  std::vector<DrawOutcome> draws;
  for (const double time : times_ms) {
    draws.push_back({eval::EvalStatus::ok, time});
  }
  std::map<std::string, double> metrics;
  for (const RobustScore score : kScores) {
    metrics[robust_metric(score)] = robust_score(draws, score, kCvarShare).score.value();
  }
  metrics[deviation_metric()] =
      relative_deviation(times_ms, metrics.at(robust_metric(RobustScore::mean)));
  return metrics;
}

} // namespace coulomb::calibration
