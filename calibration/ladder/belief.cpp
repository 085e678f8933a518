// SPDX-License-Identifier: Apache-2.0
#include "calibration/ladder/belief.hpp"

#include "calibration/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

namespace coulomb::calibration {
namespace {

/// Median and standard deviation of what a rung found; both 0 if nobody was there.
struct RungStatistics {
  double median = 0.0;
  double spread = 0.0;
};

RungStatistics statistics_of(std::span<const LadderCandidate> candidates, std::size_t rung) {
  std::vector<double> factors;
  for (const auto& c : candidates) {
    if (const auto& outcome = c.rungs[rung]; outcome && outcome->problem.empty()) {
      factors.push_back(outcome->log_factor);
    }
  }
  if (factors.empty()) {
    return {};
  }
  const double middle = quantile(factors, 0.5).value_or(0.0);
  double squares = 0.0;
  for (const double f : factors) {
    squares += (f - middle) * (f - middle);
  }
  return {middle, std::sqrt(squares / static_cast<double>(factors.size()))};
}

bool failed(const LadderCandidate& candidate) {
  return std::any_of(candidate.rungs.begin(), candidate.rungs.end(),
                     [](const auto& r) { return r && !r->problem.empty(); });
}

/// Parameters in which two configurations of a kernel differ.
std::size_t differences(const kernel::Configuration& a, const kernel::Configuration& b) {
  std::size_t count = 0;
  for (const auto& [name, value] : a.entries()) {
    const auto* other = b.find(name);
    count += other == nullptr || kernel::to_text(*other) != kernel::to_text(value) ? 1 : 0;
  }
  return count;
}

} // namespace

std::vector<Belief> beliefs(std::span<const LadderCandidate> candidates, const GapModel* gap) {
  std::vector<Belief> out(candidates.size());
  if (candidates.empty()) {
    return out;
  }
  std::vector<double> variances(candidates.size(), 0.0);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    out[i].log_ms = std::log(candidates[i].sim_ms);
  }
  for (std::size_t rung = 0; rung < candidates.front().rungs.size(); ++rung) {
    const RungStatistics all = statistics_of(candidates, rung);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const auto& own = candidates[i].rungs[rung];
      const double deviation = own ? own->deviation : all.spread;
      out[i].log_ms += own ? own->log_factor : all.median;
      variances[i] += deviation * deviation;
    }
  }
  if (gap != nullptr) {
    std::vector<GapQuery> queries;
    queries.reserve(candidates.size());
    for (const auto& c : candidates) {
      queries.push_back(c.query);
    }
    const auto predictions = gap->predict(queries);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      out[i].log_ms += predictions[i].log_ratio;
      out[i].unexplored = predictions[i].unexplored;
      variances[i] += predictions[i].deviation * predictions[i].deviation;
    }
  }
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    out[i].deviation = std::sqrt(variances[i]);
  }
  return out;
}

double expected_improvement(const Belief& belief, double best_log_ms) {
  const double gain = best_log_ms - belief.log_ms;
  if (belief.deviation <= 0.0) {
    return std::max(gain, 0.0);
  }
  const double z = gain / belief.deviation;
  const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
  const double below = 0.5 * std::erfc(-z / std::numbers::sqrt2);
  return std::max(gain * below + belief.deviation * density, 0.0);
}

std::vector<std::size_t> ranked(std::span<const LadderCandidate> candidates,
                                std::span<const Belief> beliefs,
                                double penalty) {
  std::vector<std::size_t> order;
  std::set<std::string> codes;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::string& code = candidates[i].code;
    if (!failed(candidates[i]) && (code.empty() || codes.insert(code).second)) {
      order.push_back(i);
    }
  }
  const auto score = [&](std::size_t i) {
    return beliefs[i].log_ms + penalty * beliefs[i].deviation;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return score(a) < score(b); });
  return order;
}

std::vector<std::size_t> promote(std::span<const LadderCandidate> candidates,
                                 const std::vector<std::size_t>& order,
                                 std::size_t count) {
  count = std::min(count, order.size());
  std::set<std::size_t> taken; // places in `order`
  for (std::size_t place = 0; place < (count + 1) / 2; ++place) {
    taken.insert(place);
  }
  for (std::size_t place = 0; place < order.size() && taken.size() < count; ++place) {
    const auto& own = candidates[order[place]].configuration();
    const bool apart = std::all_of(taken.begin(), taken.end(), [&](std::size_t other) {
      return differences(own, candidates[order[other]].configuration()) >= 2;
    });
    if (apart) {
      taken.insert(place);
    }
  }
  for (std::size_t place = 0; taken.size() < count; ++place) {
    taken.insert(place);
  }
  std::vector<std::size_t> promoted;
  for (const std::size_t place : taken) {
    promoted.push_back(order[place]);
  }
  return promoted;
}

} // namespace coulomb::calibration
