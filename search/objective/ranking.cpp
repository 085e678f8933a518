// SPDX-License-Identifier: Apache-2.0
#include "search/objective/ranking.hpp"

#include "search/pareto/dominance.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace coulomb::search {
namespace {

/// The counters that evaluations of these records have: whoever began the search has checked them.
std::vector<std::string> counters_of(const SearchRecords& records) {
  std::set<std::string> names;
  for (const auto& objective : records.header.objectives.objectives) {
    if (objective == kReward) {
      names.insert("power_w");
      continue;
    }
    const auto text = objective.starts_with("max ") ? objective.substr(4) : objective;
    for (const auto& name : kernel::Expression::parse(text).names()) {
      names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

} // namespace

Ranking::Ranking(const SearchRecords& records)
    : scorer_(records.header.objectives, counters_of(records)) {
  for (const EvaluationRecord& record : records.evaluations) {
    scorer_.observe(record);
    fitnesses_.push_back(scorer_.fitness(record, 1.0));
  }
}

std::vector<std::size_t> Ranking::front() const {
  std::vector<std::size_t> positions;
  std::vector<Objectives> values;
  for (std::size_t i = 0; i < fitnesses_.size(); ++i) {
    if (fitnesses_[i].status == eval::EvalStatus::ok) {
      positions.push_back(i);
      values.push_back(fitnesses_[i].objectives);
    }
  }
  std::vector<std::size_t> front;
  for (const std::size_t i : pareto_front(values)) {
    front.push_back(positions[i]);
  }
  return front;
}

std::vector<std::size_t> Ranking::ties(std::size_t position) const {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < fitnesses_.size(); ++i) {
    if (i != position && fitnesses_[i] == fitnesses_[position]) {
      others.push_back(i);
    }
  }
  return others;
}

std::vector<std::size_t> Ranking::best(std::size_t count) const {
  std::vector<std::size_t> positions;
  std::vector<Objectives> values;
  for (std::size_t i = 0; i < fitnesses_.size(); ++i) {
    if (fitnesses_[i].status == eval::EvalStatus::ok) {
      positions.push_back(i);
      values.push_back(fitnesses_[i].objectives);
    }
  }
  const auto fronts = front_numbers(values);
  std::vector<std::size_t> order(positions.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(fronts[a], values[a], positions[a]) <
           std::tie(fronts[b], values[b], positions[b]);
  });
  order.resize(std::min(count, order.size()));
  for (std::size_t& i : order) {
    i = positions[i];
  }
  return order;
}

std::string Ranking::text(std::size_t position) const {
  const Fitness& fitness = fitnesses_[position];
  std::string text;
  for (std::size_t m = 0; m < scorer_.count(); ++m) {
    text += m == 0 ? "" : ", ";
    text += scorer_.by_time() ? "" : scorer_.names()[m] + " ";
    text += scorer_.value_text(fitness, m);
  }
  return text;
}

} // namespace coulomb::search
