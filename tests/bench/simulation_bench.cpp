// SPDX-License-Identifier: Apache-2.0
// Rates of the simulator on stored cubins: warp instructions per second of one core, function alone
// and function with timing. Figures are rates; nothing here fails on a slow machine.
#include "base/config/gpu_catalogue.hpp"
#include "base/kernel/spec_lookup.hpp"
#include "base/text.hpp"
#include "sim/functional/cta_runner.hpp"
#include "sim/functional/grid_runner.hpp"
#include "sim/systemc/session.hpp"
#include "sim/timing/gpu/occupancy.hpp"
#include "sim/timing/gpu/sampling.hpp"
#include "sim/worker/problem.hpp"

#include <benchmark/benchmark.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

extern "C" int sc_main(int, char**);
extern "C" int sc_main(int, char**) {
  return 0;
}

namespace coulomb {
namespace {

/// A stored cubin on its full problem.
struct Loaded {
  isa::Cubin cubin;
  kernel::Launch launch;
  worker::Problem problem;
  std::unique_ptr<functional::ExecutableKernel> executable;
  config::GpuConfig gpu = config::load_gpu("a100-pcie-40gb").config;

  Loaded(const std::string& spec_name,
         const std::string& file,
         const std::vector<std::string>& parameters) {
    const auto spec = kernel::find_spec(spec_name);
    launch = spec.launch(spec.configuration(parameters));
    cubin = isa::Cubin::load(home_dir() + "/data/cubins/" + file);
    problem.prepare(launch.arguments);
    const auto& image = cubin.kernel(spec.kernel_name);
    executable = std::make_unique<functional::ExecutableKernel>(
        cubin, image, launch.grid, launch.block, 0, problem.parameter_block(image), gpu.sms);
    problem.fill_symbols(cubin, *executable);
  }
};

struct Stored {
  const char* name;
  const char* spec;
  const char* file;
  std::vector<std::string> parameters;
};
/// "convolution" has 32 x 4 threads of 3 outputs; "convolution_default" 16 x 16 of one, nearly all
/// FFMA and shared-memory loads.
const Stored kStored[] = {
    {"convolution",
     "convolution",
     "convolution-sm_80-1.cubin",
     {"block_size_x=32", "block_size_y=4", "tile_size_y=3"}},
    {"convolution_default", "convolution", "convolution-sm_80-0.cubin", {}},
    {"saxpy", "saxpy", "saxpy-sm_80-0.cubin", {}},
};

Loaded& loaded(const std::string& name) {
  static std::map<std::string, std::unique_ptr<Loaded>> all;
  auto& l = all[name];
  for (const Stored& s : kStored) {
    if (!l && name == s.name) {
      l = std::make_unique<Loaded>(s.spec, s.file, s.parameters);
    }
  }
  return *l;
}

/// The rung "functional": as many CTAs as an A100 holds, then the next ones.
void functional_only(benchmark::State& state, const std::string& name) {
  constexpr std::uint64_t kCtas = 64;
  Loaded& l = loaded(name);
  functional::GridRunner runner(*l.executable, l.problem.memory(), l.gpu.sms);
  std::uint64_t instructions = 0;
  std::uint64_t cta = 0;
  for (auto _ : state) {
    instructions += runner.run(cta, kCtas);
    cta = (cta + kCtas) % (l.launch.grid.volume() - kCtas);
  }
  state.counters["warp_insts"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

void timed(benchmark::State& state, const std::string& name) {
  Loaded& l = loaded(name);
  static systemc::Session session(systemc::Structure::of(l.gpu, 1));
  const auto& image = l.executable->image();
  const auto fit = timing::gpu::occupancy(l.gpu,
                                          {static_cast<std::uint32_t>(l.launch.block.volume()),
                                           image.registers, image.static_shared_bytes, 0, 0},
                                          l.launch.grid.volume());
  const auto plan =
      timing::gpu::plan_sampling(l.gpu, l.launch.grid.volume(), fit.ctas_per_sm, 1, 0);
  const auto timings = timing::time_instructions(image, l.gpu.sm);
  const auto buffers =
      timing::gpu::probe_footprint(*l.executable, l.problem.memory(), {plan.ctas_total, 0, {}}, 0);
  const auto outlook = timing::gpu::cache_outlook(l.gpu, buffers, plan.ctas_total, false, true);
  std::uint64_t instructions = 0;
  std::uint64_t cycles = 0;
  for (auto _ : state) {
    timing::gpu::BlockDispatcher dispatcher(l.gpu, plan.ctas_total, 1, plan.ctas_per_sm_limit);
    const auto r = session.run(
        l.gpu, {l.executable.get(), &timings, &l.problem.memory(), fit.ctas_per_sm, fit.l1_bytes},
        dispatcher, outlook, 1'000'000'000);
    instructions += r.sm.warp_instructions;
    cycles += r.cycles;
  }
  state.counters["warp_insts"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
  state.counters["sm_cycles"] =
      benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(functional_only, convolution, "convolution")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(functional_only, convolution_default, "convolution_default")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(functional_only, saxpy, "saxpy")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(timed, convolution, "convolution")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(timed, saxpy, "saxpy")->Unit(benchmark::kMillisecond);

} // namespace
} // namespace coulomb

BENCHMARK_MAIN();
