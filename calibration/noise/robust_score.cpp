// SPDX-License-Identifier: Apache-2.0
#include "calibration/noise/robust_score.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <fmt/ranges.h>
#include <functional>
#include <vector>

namespace coulomb::calibration {
namespace {

constexpr std::array<std::string_view, 3> kWords{"mean", "cvar", "worst"};

/// Mean of the worst `weight` draws, 0 < weight <= number of draws; a part of one counts as such.
double mean_of_worst(const std::vector<double>& worst_first, double weight) {
  double sum = 0.0;
  double left = weight;
  for (std::size_t i = 0; i < worst_first.size() && left > 0.0; ++i) {
    sum += std::min(left, 1.0) * worst_first[i];
    left -= 1.0;
  }
  return sum / weight;
}

} // namespace

std::string_view to_string(RobustScore score) {
  return kWords[static_cast<std::size_t>(score)];
}

RobustScore robust_score_from_string(const std::string& word) {
  const auto it = std::find(kWords.begin(), kWords.end(), word);
  if (it == kWords.end()) {
    throw UserError(fmt::format("no robust score \"{}\"{}; there are: {}", word,
                                did_you_mean(word, {kWords.begin(), kWords.end()}),
                                fmt::join(kWords, ", ")));
  }
  return static_cast<RobustScore>(it - kWords.begin());
}

RobustOutcome robust_score(std::span<const DrawOutcome> draws, RobustScore score, double alpha) {
  COULOMB_CHECK(!draws.empty(), "no draws");
  if (!(alpha > 0.0 && alpha <= 1.0)) {
    throw UserError(fmt::format("the share of draws that CVaR takes is {}; allowed: above 0, at "
                                "most 1",
                                alpha));
  }
  std::vector<double> costs;
  for (const DrawOutcome& draw : draws) {
    if (draw.status != eval::EvalStatus::ok) {
      return {draw.status, std::nullopt};
    }
    costs.push_back(draw.cost);
  }
  std::sort(costs.begin(), costs.end(), std::greater<>());
  const auto k = static_cast<double>(costs.size());
  switch (score) {
  case RobustScore::mean:
    return {eval::EvalStatus::ok, mean_of_worst(costs, k)};
  case RobustScore::cvar:
    return {eval::EvalStatus::ok, mean_of_worst(costs, std::max(alpha * k, 1.0))};
  case RobustScore::worst:
    return {eval::EvalStatus::ok, costs.front()};
  }
  throw InternalError("unknown robust score");
}

} // namespace coulomb::calibration
