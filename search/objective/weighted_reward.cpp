// SPDX-License-Identifier: Apache-2.0
#include "search/objective/weighted_reward.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "search/objective/metric.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/ranges.h>
#include <sstream>

namespace coulomb::search {
namespace {

struct Term {
  std::string_view name;
  std::string_view metric;
  bool larger_is_better;
};

constexpr std::array kTerms = {Term{"ipc", "ipc", true}, Term{"power", "power_w", false},
                               Term{"latency", "time_ms", false}};

const Term& term(const std::string& name) {
  const auto* at =
      std::find_if(kTerms.begin(), kTerms.end(), [&](const Term& t) { return t.name == name; });
  if (at == kTerms.end()) {
    throw UserError(fmt::format("reward: there is no term {}{}", name,
                                did_you_mean(name, {"ipc", "power", "latency"})),
                    "terms: ipc, power, latency");
  }
  return *at;
}

double weight_of(const RewardWeights& weights, std::string_view name) {
  for (const auto& [term, weight] : weights) {
    if (term == name) {
      return weight;
    }
  }
  return 0.0;
}

double value_of(const EvaluationRecord& record, const Term& t) {
  const auto value = metric(record, std::string(t.metric));
  if (!value) {
    throw UserError(fmt::format("reward: the evaluation has no {}", t.metric));
  }
  return *value;
}

} // namespace

RewardSchedule default_reward_schedule() {
  return {.start = {{"ipc", 0.6}, {"power", 0.3}, {"latency", 0.1}},
          .end = {{"ipc", 0.6 * 0.85 / 0.7}, {"power", 0.15}, {"latency", 0.1 * 0.85 / 0.7}}};
}

RewardWeights parse_reward_weights(const std::string& text) {
  RewardWeights weights;
  std::istringstream in(text);
  double sum = 0.0;
  for (std::string item; std::getline(in, item, ',');) {
    const auto equals = item.find('=');
    const std::string name = item.substr(0, equals);
    double weight = NAN;
    try {
      weight = equals == std::string::npos ? NAN : std::stod(item.substr(equals + 1));
    } catch (const std::exception&) {
      weight = NAN;
    }
    if (!std::isfinite(weight) || weight < 0.0) {
      throw UserError(fmt::format("reward weights: found \"{}\"", item),
                      "TERM=WEIGHT with a weight of 0 or more, e.g. ipc=0.6,power=0.3,latency=0.1");
    }
    (void)term(name);
    if (weight_of(weights, name) != 0.0) {
      throw UserError(fmt::format("reward weights: {} is given twice", name));
    }
    weights.emplace_back(name, weight);
    sum += weight;
  }
  if (!(sum > 0.0)) {
    throw UserError(fmt::format("reward weights \"{}\": one at least must be above 0", text));
  }
  return weights;
}

std::string to_text(const RewardWeights& weights) {
  std::vector<std::string> items;
  for (const auto& [name, weight] : weights) {
    items.push_back(fmt::format("{}={}", name, weight));
  }
  return fmt::format("{}", fmt::join(items, ","));
}

WeightedReward::WeightedReward(RewardSchedule schedule, const std::vector<std::string>& counters)
    : schedule_(std::move(schedule)) {
  for (const Term& t : kTerms) {
    if (weight_of(schedule_.start, t.name) + weight_of(schedule_.end, t.name) > 0.0) {
      check_metric(std::string(t.metric), counters);
    }
  }
}

double WeightedReward::reward(const EvaluationRecord& record, double progress) const {
  COULOMB_CHECK(baseline_.status == eval::EvalStatus::ok, "a reward without a baseline");
  double sum = 0.0;
  for (const Term& t : kTerms) {
    const double weight = weight_of(schedule_.start, t.name) * (1.0 - progress) +
                          weight_of(schedule_.end, t.name) * progress;
    if (weight > 0.0) {
      const double base = value_of(baseline_, t);
      const double value = value_of(record, t);
      sum += weight * (t.larger_is_better ? value / base : base / value);
    }
  }
  return sum;
}

} // namespace coulomb::search
