// SPDX-License-Identifier: Apache-2.0
#include "search/halving/successive_halving.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <numeric>

namespace coulomb::search {

std::vector<std::size_t>
rung_sizes(std::size_t candidates, const std::vector<double>& costs, double budget) {
  COULOMB_CHECK(!costs.empty(), "halving without a level");
  std::vector<std::size_t> sizes;
  std::size_t below = candidates;
  double left = budget;
  for (std::size_t level = 0; level < costs.size(); ++level) {
    COULOMB_CHECK(costs[level] > 0.0, "level {} costs {}", level, costs[level]);
    // What a level cannot spend is the later ones'.
    const double share = left / static_cast<double>(costs.size() - level);
    const auto affordable = static_cast<std::size_t>(std::max(0.0, share / costs[level]));
    sizes.push_back(std::min(below, std::max<std::size_t>(1, affordable)));
    below = sizes.back();
    left -= static_cast<double>(below) * costs[level];
  }
  return sizes;
}

std::vector<Rung> halve(std::size_t candidates, const Fidelities& fidelities, double budget) {
  const auto sizes = rung_sizes(candidates, fidelities.costs, budget);
  std::vector<std::size_t> chosen(candidates);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  std::vector<Rung> rungs;
  for (std::size_t level = 0; level < sizes.size() && !chosen.empty(); ++level) {
    Rung rung;
    rung.level = level;
    chosen.resize(std::min(chosen.size(), sizes[level]));
    rung.evaluated = chosen;
    for (const std::size_t candidate : chosen) {
      rung.fitnesses.push_back(fidelities.evaluate(candidate, level));
      rung.cost += fidelities.costs[level];
    }
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (rung.fitnesses[i].status == eval::EvalStatus::ok) {
        order.push_back(i);
      }
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      if (better(rung.fitnesses[a], rung.fitnesses[b]) ||
          better(rung.fitnesses[b], rung.fitnesses[a])) {
        return better(rung.fitnesses[a], rung.fitnesses[b]);
      }
      return chosen[a] < chosen[b];
    });
    if (level + 1 < sizes.size()) {
      order.resize(std::min(order.size(), sizes[level + 1]));
    }
    for (const std::size_t i : order) {
      rung.promoted.push_back(chosen[i]);
    }
    chosen = rung.promoted;
    rungs.push_back(std::move(rung));
  }
  return rungs;
}

} // namespace coulomb::search
