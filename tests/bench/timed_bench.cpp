// SPDX-License-Identifier: Apache-2.0
// Function and timing together: one SM with its share of the memory system, and a whole chip.
#include "sim/systemc/session.hpp"
#include "sim/timing/gpu/occupancy.hpp"
#include "sim/timing/gpu/sampling.hpp"
#include "tests/bench/rate.hpp"
#include "tests/bench/stored_kernel.hpp"

#include <memory>
#include <string>

namespace coulomb::bench {
namespace {

/// What docs/design.md wants of function and timing together, and what a tensor-core kernel may
/// cost: one HMMA is 2048 multiply-adds.
constexpr double kGoal = 3e6;
constexpr double kMemoryGoal = 1e6; // also that of a whole chip
constexpr double kTensorGoal = 0.5e6;

/// The process's session. SystemC elaborates once, so a benchmark of another structure gets none.
systemc::Session* session_of(const systemc::Structure& structure) {
  static const auto session = std::make_unique<systemc::Session>(structure);
  return session->structure() == structure ? session.get() : nullptr;
}

/// `sms` = 0: all SMs and the whole grid.
void time_kernel(benchmark::State& state, const std::string& name, std::uint32_t sms, double goal) {
  StoredKernel& kernel = StoredKernel::find(name);
  const config::GpuConfig& gpu = kernel.gpu();
  const auto& executable = kernel.executable();
  const auto& image = executable.image();
  const auto& launch = kernel.launch();
  const auto fit =
      timing::gpu::occupancy(gpu,
                             {static_cast<std::uint32_t>(launch.block.volume()), image.registers,
                              image.static_shared_bytes, launch.dynamic_shared_bytes, 0},
                             kernel.ctas());
  const timing::gpu::WorkProfile work{kernel.ctas(), 0, {}};
  const auto footprint = timing::gpu::probe_footprint(gpu, executable, kernel.memory(), work, 0);
  const auto plan = timing::gpu::plan_sampling(gpu, kernel.ctas(), fit.ctas_per_sm,
                                               sms == 0 ? gpu.sms : sms, 0, footprint.instructions);
  systemc::Session* session = session_of(systemc::Structure::of(gpu, plan.sms));
  if (session == nullptr) {
    state.SkipWithError("needs a process of its own: --benchmark_filter=");
    return;
  }
  const auto timings = timing::time_instructions(image, gpu.sm);
  const auto outlook =
      timing::gpu::cache_outlook(gpu, footprint, kernel.ctas(), plan.whole_chip, "warm");
  std::uint64_t instructions = 0;
  std::uint64_t cycles = 0;
  for (auto _ : state) {
    timing::gpu::BlockDispatcher dispatcher(gpu, work, plan.sms, plan.ctas_per_sm_limit);
    const auto r =
        session->run(gpu, {&executable, &timings, &kernel.memory(), fit.ctas_per_sm, fit.l1_bytes},
                     dispatcher, outlook, 1'000'000'000);
    instructions += r.sm.warp_instructions;
    cycles += r.cycles * plan.sms;
  }
  report_rate(state, instructions, goal);
  state.counters["sm_cycles"] =
      benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
}

void timed(benchmark::State& state, const std::string& name, double goal) {
  time_kernel(state, name, 1, goal);
}
void chip(benchmark::State& state, const std::string& name, double goal) {
  time_kernel(state, name, 0, goal);
}

BENCHMARK_CAPTURE(timed, convolution, "convolution", kGoal)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(timed, saxpy, "saxpy", kMemoryGoal)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(timed, hgemm, "hgemm", kTensorGoal)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(chip, sgemm_small, "sgemm_small", kMemoryGoal)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace coulomb::bench
