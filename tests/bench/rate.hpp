// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>
#include <cstdint>

namespace coulomb::bench {

/// Reports `instructions` of the whole benchmark as the rate "warp_insts", and the rate that
/// docs/design.md wants as "goal" (0: it names none). scripts/bench compares them.
inline void report_rate(benchmark::State& state, std::uint64_t instructions, double goal) {
  state.counters["warp_insts"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
  if (goal > 0.0) {
    state.counters["goal"] = goal;
  }
}

} // namespace coulomb::bench
