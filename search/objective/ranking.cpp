// SPDX-License-Identifier: Apache-2.0
#include "search/objective/ranking.hpp"

#include "search/pareto/hypervolume.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <tuple>

namespace coulomb::search {

Ranking::Ranking(const SearchRecords& records) : scorer_(records.header.objectives) {
  for (const EvaluationRecord& record : records.evaluations) {
    scorer_.observe(record);
    fitnesses_.push_back(scorer_.fitness(record, 1.0));
  }
}

Ranking::Ran Ranking::ran() const {
  Ran ran;
  for (std::size_t i = 0; i < fitnesses_.size(); ++i) {
    if (fitnesses_[i].status == eval::EvalStatus::ok) {
      ran.positions.push_back(i);
      ran.values.push_back(fitnesses_[i].objectives);
    }
  }
  return ran;
}

std::vector<std::size_t> Ranking::front() const {
  const Ran all = ran();
  std::vector<std::size_t> front = pareto_front(all.values);
  for (std::size_t& i : front) {
    i = all.positions[i];
  }
  return front;
}

std::optional<double> Ranking::hypervolume() const {
  GrowingFront growing;
  for (const Objectives& values : ran().values) {
    growing.add(values);
  }
  return growing.hypervolume();
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
  const Ran all = ran();
  const auto fronts = front_numbers(all.values);
  std::vector<std::size_t> order(all.positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(fronts[a], all.values[a], a) < std::tie(fronts[b], all.values[b], b);
  });
  order.resize(std::min(count, order.size()));
  for (std::size_t& i : order) {
    i = all.positions[i];
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
