// SPDX-License-Identifier: Apache-2.0
#include "search/objective/weighted_reward.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "search/objective/metric.hpp"

#include <algorithm>
#include <array>
#include <charconv>
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

/// The terms that weigh anything at the start or at the end.
std::vector<Term> weighed(const RewardSchedule& schedule) {
  std::vector<Term> terms;
  for (const Term& t : kTerms) {
    if (weight_of(schedule.start, t.name) > 0.0 || weight_of(schedule.end, t.name) > 0.0) {
      terms.push_back(t);
    }
  }
  return terms;
}

/// NaN if the text is no number, whatever the locale.
double parse_weight(std::string_view text) {
  double weight = NAN;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
  return error == std::errc{} && end == text.data() + text.size() ? weight : NAN;
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
    const double weight =
        equals == std::string::npos ? NAN : parse_weight(std::string_view(item).substr(equals + 1));
    if (!std::isfinite(weight) || weight < 0.0) {
      throw UserError(fmt::format("reward weights: found \"{}\"", item),
                      "TERM=WEIGHT with a weight of 0 or more, e.g. ipc=0.6,power=0.3,latency=0.1");
    }
    (void)term(name);
    if (std::any_of(weights.begin(), weights.end(),
                    [&](const auto& other) { return other.first == name; })) {
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

std::vector<std::string> WeightedReward::metrics() const {
  std::vector<std::string> names;
  for (const Term& t : weighed(schedule_)) {
    names.emplace_back(t.metric);
  }
  return names;
}

std::string WeightedReward::problem(const EvaluationRecord& record) const {
  for (const std::string& name : metrics()) {
    const auto value = metric(record, name);
    if (!value) {
      return fmt::format("reward: the evaluation has no {}", name);
    }
    if (!std::isfinite(*value) || !(*value > 0.0)) {
      return fmt::format("reward: {} is {}, it must be above 0", name, *value);
    }
  }
  return {};
}

double WeightedReward::reward(const EvaluationRecord& record, double progress) const {
  COULOMB_CHECK(baseline_.status == eval::EvalStatus::ok, "a reward without a baseline");
  double sum = 0.0;
  for (const Term& t : weighed(schedule_)) {
    const auto base = metric(baseline_, std::string(t.metric));
    const auto value = metric(record, std::string(t.metric));
    COULOMB_CHECK(base && value, "an evaluation without {}", t.metric);
    sum += (weight_of(schedule_.start, t.name) * (1.0 - progress) +
            weight_of(schedule_.end, t.name) * progress) *
           (t.larger_is_better ? *value / *base : *base / *value);
  }
  return sum;
}

} // namespace coulomb::search
