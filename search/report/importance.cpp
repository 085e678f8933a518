// SPDX-License-Identifier: Apache-2.0
#include "search/report/importance.hpp"

#include "base/random.hpp"
#include "search/space/value_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coulomb::search {
namespace {

constexpr std::size_t kMostGroups = 8;
constexpr int kShuffles = 99;

/// Evaluations with values that are alike.
struct Groups {
  std::vector<std::size_t> group; ///< of each evaluation
  std::size_t count = 0;
};

Groups groups_of(const ParameterLevels& parameter) {
  const bool numbers = std::ranges::all_of(
      parameter.values, [](const auto& value) { return as_number(value).has_value(); });
  if (!numbers || parameter.values.size() <= kMostGroups) {
    return {parameter.level, parameter.values.size()};
  }
  std::vector<std::size_t> full(parameter.values.size(), 0);
  for (const std::size_t level : parameter.level) {
    ++full[level];
  }
  // A level belongs to the eighth of all evaluations in which its middle one lies.
  std::vector<std::size_t> group_of_level(parameter.values.size());
  std::size_t before = 0;
  std::size_t last = 0;
  std::size_t count = 0;
  for (std::size_t level = 0; level < full.size(); ++level) {
    const std::size_t eighth =
        (2 * before + full[level]) * kMostGroups / (2 * parameter.level.size());
    if (count == 0 || eighth != last) {
      ++count;
      last = eighth;
    }
    group_of_level[level] = count - 1;
    before += full[level];
  }
  Groups groups{{}, count};
  for (const std::size_t level : parameter.level) {
    groups.group.push_back(group_of_level[level]);
  }
  return groups;
}

/// Variance between the groups over the whole variance; `values` have mean 0 and `total` is the sum
/// of their squares, above 0.
double share_between(const std::vector<double>& values, const Groups& groups, double total) {
  std::vector<double> sum(groups.count, 0.0);
  std::vector<double> size(groups.count, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum[groups.group[i]] += values[i];
    size[groups.group[i]] += 1.0;
  }
  double between = 0.0;
  for (std::size_t g = 0; g < groups.count; ++g) {
    between += sum[g] * sum[g] / size[g];
  }
  return between / total;
}

std::vector<double>
centred(const Measure& measure, const std::vector<std::size_t>& positions, bool logarithmic) {
  std::vector<double> logs;
  for (const std::size_t i : positions) {
    logs.push_back(logarithmic ? std::log(measure.values[i]) : measure.values[i]);
  }
  const double mean =
      std::accumulate(logs.begin(), logs.end(), 0.0) / static_cast<double>(logs.size());
  for (double& value : logs) {
    value -= mean;
  }
  return logs;
}

void shuffle(std::vector<double>& values, RandomStream& random) {
  for (std::size_t i = values.size(); i > 1; --i) {
    std::swap(values[i - 1], values[random.below(i)]);
  }
}

} // namespace

Importance parameter_importance(const SearchRecords& records, const Measure& measure) {
  const auto positions = measured(records);
  const bool logarithmic =
      std::ranges::all_of(positions, [&](std::size_t i) { return measure.values[i] > 0.0; });
  Importance result{.evaluations = positions.size(),
                    .values_differ = false,
                    .quantity = logarithmic ? "log(" + measure.name + ")" : measure.name,
                    .parameters = {},
                    .constant = {}};
  if (positions.empty()) {
    return result;
  }
  std::vector<Groups> groups;
  for (const auto& parameter : parameter_levels(records, positions)) {
    if (parameter.values.size() < 2) {
      result.constant.push_back(parameter.name);
      continue;
    }
    groups.push_back(groups_of(parameter));
    result.parameters.push_back({.name = parameter.name, .values = parameter.values.size()});
  }
  std::vector<double> logs = centred(measure, positions, logarithmic);
  const double total = std::inner_product(logs.begin(), logs.end(), logs.begin(), 0.0);
  const auto n = static_cast<double>(logs.size());
  result.values_differ = total > 1e-18 * n;
  if (!result.values_differ) {
    return result;
  }
  std::vector<double> raw;
  for (const auto& group : groups) {
    raw.push_back(share_between(logs, group, total));
  }
  std::vector<double> chance(groups.size(), 0.0);
  RandomStream random(records.header.seed, "importance");
  for (int round = 0; round < kShuffles; ++round) {
    shuffle(logs, random);
    for (std::size_t p = 0; p < groups.size(); ++p) {
      chance[p] = std::max(chance[p], share_between(logs, groups[p], total));
    }
  }
  for (std::size_t p = 0; p < groups.size(); ++p) {
    const auto k = static_cast<double>(groups[p].count);
    auto& parameter = result.parameters[p];
    parameter.share = n > k ? std::max(0.0, 1.0 - (1.0 - raw[p]) * (n - 1.0) / (n - k)) : 0.0;
    parameter.beyond_chance = raw[p] > chance[p] * (1.0 + 1e-9);
  }
  std::ranges::stable_sort(result.parameters, std::ranges::greater{}, &ParameterImportance::share);
  return result;
}

} // namespace coulomb::search
