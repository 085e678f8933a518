// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/engine/evaluator.hpp"
#include "search/space/search_space.hpp"
#include "search/strategy/fitness.hpp"

#include <cmath>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace coulomb::search {

/// `genes` parameters p0, p1, ... with the values 1, 2, 4, ..., as many as `values`. A point is
/// valid if the sum of its genes is no multiple of `forbidden` (0: all are valid).
inline SearchSpace
synthetic_space(std::size_t genes, std::size_t values, std::size_t forbidden = 0) {
  std::vector<Dimension> dimensions(genes);
  for (std::size_t d = 0; d < genes; ++d) {
    dimensions[d].name = fmt::format("p{}", d);
    for (std::size_t v = 0; v < values; ++v) {
      dimensions[d].values.emplace_back(std::int64_t{1} << v);
    }
  }
  std::vector<Genes> valid;
  Genes g(genes, 0);
  while (true) {
    std::size_t sum = 0;
    for (const Gene gene : g) {
      sum += gene;
    }
    if (forbidden == 0 || sum % forbidden != 0) {
      valid.push_back(g);
    }
    std::size_t d = genes;
    while (d > 0 && g[d - 1] + 1U == values) {
      g[--d] = 0;
    }
    if (d == 0) {
      break;
    }
    ++g[d - 1];
  }
  return {std::move(dimensions), valid};
}

/// A rugged bowl: 1 at the optimum, which is at two thirds of each range, plus ripples; every 11th
/// point fails to launch.
inline Fitness synthetic_fitness(const SearchSpace& space, Point point) {
  if (point % 11 == 5) {
    return {eval::EvalStatus::launch_invalid, 0.0};
  }
  double time = 1.0;
  const auto genes = space.genes(point);
  for (std::size_t d = 0; d < genes.size(); ++d) {
    const double last = static_cast<double>(space.dimensions()[d].values.size()) - 1.0;
    const double x = static_cast<double>(genes[d]) - std::round(last * 2.0 / 3.0);
    time += 0.3 * x * x + (genes[d] % 2 == d % 2 ? 0.15 : 0.0);
  }
  return {eval::EvalStatus::ok, time};
}

/// The best fitness of the whole space, found by looking at all of it.
inline Fitness synthetic_optimum(const SearchSpace& space) {
  Fitness best = synthetic_fitness(space, 0);
  for (Point p = 1; p < space.size(); ++p) {
    const Fitness f = synthetic_fitness(space, p);
    best = better(f, best) ? f : best;
  }
  return best;
}

/// What an evaluator would have said of the candidate.
inline Evaluation synthetic_evaluation(const SearchSpace& space, const Candidate& candidate) {
  const Point point = space.find(candidate.configuration).value();
  const Fitness fitness = synthetic_fitness(space, point);
  Evaluation e;
  e.id = candidate.id;
  e.configuration = candidate.configuration;
  e.status = fitness.status;
  e.compile.cubin_hash = fmt::format("cubin{}", point);
  e.compile.compile_s = 0.25;
  e.compile_s = 0.125;
  if (fitness.status == eval::EvalStatus::ok) {
    e.sim.time_ms = fitness.value;
    e.sim.cycles = fitness.value * 1.41e6;
    e.sim.ipc = 1.5;
    e.sim.registers = 32;
    e.sim.counters = {{"sm__inst_executed.sum", static_cast<double>(point)}};
    e.sim.stalls = {{"barrier", 0.25}};
    e.sim_s = 0.5;
  } else {
    e.message = fmt::format("point {} cannot be launched", point);
  }
  return e;
}

} // namespace coulomb::search
