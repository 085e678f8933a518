// SPDX-License-Identifier: Apache-2.0
// What power, heat and area cost beside a simulation of a second:
// coulomb_bench --benchmark_filter=^power prints it.
#include "base/config/gpu_catalogue.hpp"
#include "sim/power/dvfs.hpp"
#include "sim/power/power_metrics.hpp"
#include "sim/power/thermal.hpp"

#include <benchmark/benchmark.h>

namespace coulomb::bench {
namespace {

config::GpuConfig a100() {
  return config::load_gpu("a100-pcie-40gb").config;
}

std::map<std::string, double> counters() {
  return {{"smsp__inst_executed.sum", 2e8},
          {"sm__cycles_active.sum", 1.5e8},
          {"dram__bytes_read.sum", 1e8}};
}

/// What a worker adds to each simulation.
void power_metrics(benchmark::State& state) {
  const config::GpuConfig gpu = a100();
  for (auto _ : state) {
    auto all = counters();
    power::add_power_metrics(gpu, 1.0, all);
    benchmark::DoNotOptimize(all);
  }
}

/// What `run` and `whatif` add: the clock under the board's limits.
void power_settle(benchmark::State& state) {
  const config::GpuConfig gpu = a100();
  const auto activity = power::activity_of(counters(), 1.0, gpu.sm_clock_mhz);
  const auto retiming = power::retiming_of(gpu, activity, 0.9);
  for (auto _ : state) {
    benchmark::DoNotOptimize(power::settle(gpu, activity, retiming, 1410, 60));
  }
}

/// Temperatures of all SMs in the steady state.
void power_thermal(benchmark::State& state) {
  const config::GpuConfig gpu = a100();
  const power::ThermalNetwork network(gpu);
  const std::vector<double> sm_w(gpu.sms, 1.0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(network.steady(sm_w, 42.0));
  }
}

BENCHMARK(power_metrics)->Unit(benchmark::kMicrosecond);
BENCHMARK(power_settle)->Unit(benchmark::kMicrosecond);
BENCHMARK(power_thermal)->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace coulomb::bench
