// SPDX-License-Identifier: Apache-2.0
// What a search costs beside its evaluations: coulomb_bench --benchmark_filter=^search prints it.
#include "search/driver/strategy_catalogue.hpp"

#include <benchmark/benchmark.h>

namespace coulomb::bench {
namespace {

/// 10^5 points: 5 parameters of 10 values.
search::SearchSpace large_space() {
  std::vector<search::Dimension> dimensions(5);
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    dimensions[d].name = std::string(1, static_cast<char>('a' + d));
    for (std::int64_t v = 0; v < 10; ++v) {
      dimensions[d].values.emplace_back(v);
    }
  }
  std::vector<search::Genes> valid;
  for (std::uint32_t n = 0; n < 100'000; ++n) {
    search::Genes genes;
    for (std::uint32_t rest = n; genes.size() < 5; rest /= 10) {
      genes.push_back(static_cast<search::Gene>(rest % 10));
    }
    valid.push_back(std::move(genes));
  }
  return {std::move(dimensions), valid};
}

/// A bowl with ripples, ms.
search::Fitness outcome(const search::SearchSpace& space, search::Point point) {
  double time = 1.0;
  for (const auto gene : space.genes(point)) {
    time += 0.1 * (gene - 6.0) * (gene - 6.0) + (gene % 2 == 0 ? 0.15 : 0.0);
  }
  return {.status = eval::EvalStatus::ok, .value = time, .objectives = {time, 10.0 / time}};
}

/// One search of 500 evaluations; the counter is the time of one proposal and its commitment.
void search_overhead(benchmark::State& state, const char* name) {
  const search::SearchSpace space = large_space();
  constexpr std::uint64_t kBudget = 500;
  for (auto _ : state) {
    search::Strategy strategy = search::find_strategy(name).make(space, {.lookahead = 1});
    for (std::uint64_t i = 0; i < kBudget; ++i) {
      const auto proposal = strategy.propose();
      strategy.commit({proposal->id, proposal->point, outcome(space, proposal->point)});
    }
  }
  state.counters["s_per_candidate"] =
      benchmark::Counter(static_cast<double>(kBudget * state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK_CAPTURE(search_overhead, ga, "ga")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search_overhead, ga_plain, "ga-plain")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search_overhead, ga_islands, "ga-islands")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search_overhead, nsga2, "nsga2")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search_overhead, hill_climb, "hill-climb")->Unit(benchmark::kMillisecond);

} // namespace
} // namespace coulomb::bench
