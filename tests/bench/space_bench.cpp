// SPDX-License-Identifier: Apache-2.0
// Tuning spaces: a restriction, the enumeration of a space, moves in one. Not among the rates of
// scripts/bench: coulomb_bench --benchmark_filter=^space prints them.
#include "base/kernel/compiled_space.hpp"
#include "base/kernel/space_enumeration.hpp"
#include "search/space/search_space.hpp"
#include "tests/support/space_specs.hpp"

#include <benchmark/benchmark.h>

namespace coulomb::bench {
namespace {

/// One evaluation of "k_tile % ((m_threads * n_threads) / m_load) == 0".
void space_restriction_compiled(benchmark::State& state) {
  const kernel::TunableSpec spec = test::gemm_space();
  const kernel::CompiledSpace space(spec);
  const kernel::ExpressionProgram& program = space.restrictions()[5];
  const std::vector<kernel::Cell> cells = space.first_cells();
  for (auto _ : state) {
    benchmark::DoNotOptimize(program.holds(cells.data()));
  }
}

void space_restriction_interpreted(benchmark::State& state) {
  const kernel::TunableSpec spec = test::gemm_space();
  const kernel::Scope scope = spec.scope(spec.default_configuration());
  for (auto _ : state) {
    benchmark::DoNotOptimize(spec.restrictions[5].expression.evaluate_bool(scope));
  }
}

void space_count_gemm(benchmark::State& state) {
  const kernel::TunableSpec spec = test::gemm_space();
  for (auto _ : state) {
    state.counters["valid"] = static_cast<double>(kernel::count_valid(spec));
  }
  state.counters["product"] = static_cast<double>(kernel::cartesian_size(spec));
}

void space_open(benchmark::State& state, const kernel::TunableSpec& spec) {
  for (auto _ : state) {
    const search::SearchSpace space(spec);
    state.counters["valid"] = static_cast<double>(space.size());
  }
  state.counters["product"] = static_cast<double>(kernel::cartesian_size(spec));
}

void space_neighbours(benchmark::State& state, const kernel::TunableSpec& spec) {
  const search::SearchSpace space(spec);
  RandomStream random(1, "bench");
  for (auto _ : state) {
    benchmark::DoNotOptimize(space.neighbours(random.below(space.size())));
  }
}

BENCHMARK(space_restriction_compiled);
BENCHMARK(space_restriction_interpreted);
BENCHMARK(space_count_gemm)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(space_open, gemm, test::gemm_space())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(space_open, independent_12, test::independent_space(12))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(space_open, independent_18, test::independent_space(18))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(space_neighbours, gemm, test::gemm_space())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(space_neighbours, independent_18, test::independent_space(18))
    ->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace coulomb::bench
