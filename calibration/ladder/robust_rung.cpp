// SPDX-License-Identifier: Apache-2.0
#include "calibration/ladder/robust_rung.hpp"

#include "base/error.hpp"

#include <cmath>
#include <fmt/format.h>

namespace coulomb::calibration {
namespace {

std::vector<double> log_ratios(const RobustTimes& times, double nominal_ms) {
  std::vector<double> ratios;
  for (const double ms : times.times_ms) {
    ratios.push_back(std::log(ms / nominal_ms));
  }
  return ratios;
}

double score_of(const RobustTimes& times, RobustScore score, double alpha) {
  std::vector<DrawOutcome> draws;
  for (const double ms : times.times_ms) {
    draws.push_back({eval::EvalStatus::ok, ms});
  }
  return robust_score(draws, score, alpha).score.value();
}

/// Mean by draw.
std::vector<double> means(const std::vector<std::vector<double>>& ratios) {
  std::vector<double> sums;
  for (const auto& row : ratios) {
    sums.resize(row.size());
    for (std::size_t k = 0; k < row.size(); ++k) {
      sums[k] += row[k] / static_cast<double>(ratios.size());
    }
  }
  return sums;
}

double deviation_about(const std::vector<double>& values, const std::vector<double>& common) {
  double mean = 0.0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    mean += (values[k] - common[k]) / static_cast<double>(values.size());
  }
  double squares = 0.0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double off = values[k] - common[k] - mean;
    squares += off * off;
  }
  return std::sqrt(squares / static_cast<double>(values.size()));
}

} // namespace

RobustRung::RobustRung(Times times, RobustScore score, double alpha)
    : times_(std::move(times)), score_(score), alpha_(alpha) {}

std::optional<std::vector<RungOutcome>>
RobustRung::climb(const std::vector<const LadderCandidate*>& candidates) {
  std::vector<kernel::Configuration> configurations;
  for (const auto* candidate : candidates) {
    configurations.push_back(candidate->configuration());
  }
  const auto answer = times_(configurations);
  if (!answer) {
    return std::nullopt;
  }
  const std::vector<RobustTimes>& times = *answer;
  COULOMB_CHECK(times.size() == candidates.size(), "{} outcomes of {} candidates", times.size(),
                candidates.size());
  std::vector<std::vector<double>> ratios;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i].status == eval::EvalStatus::ok) {
      ratios.push_back(log_ratios(times[i], candidates[i]->sim_ms));
    }
  }
  if (common_.empty()) {
    common_ = means(ratios);
  }
  std::vector<RungOutcome> outcomes;
  for (std::size_t i = 0; i < times.size(); ++i) {
    RungOutcome& outcome = outcomes.emplace_back();
    if (times[i].status != eval::EvalStatus::ok) {
      outcome.problem = fmt::format("{}: {}", eval::to_string(times[i].status), times[i].message);
      continue;
    }
    outcome.log_factor = std::log(score_of(times[i], score_, alpha_) / candidates[i]->sim_ms);
    outcome.deviation = deviation_about(log_ratios(times[i], candidates[i]->sim_ms), common_);
  }
  return outcomes;
}

} // namespace coulomb::calibration
