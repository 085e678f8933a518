// SPDX-License-Identifier: Apache-2.0
// Whole-model tests on the stored saxpy cubin. SystemC elaborates once per process, so each run has
// its own.
#include "base/config/gpu_catalogue.hpp"
#include "base/text.hpp"
#include "sim/systemc/session.hpp"
#include "sim/timing/gpu/metrics.hpp"
#include "sim/timing/gpu/occupancy.hpp"
#include "sim/timing/gpu/sampling.hpp"

#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace coulomb::systemc {
namespace {

struct RunSetup {
  std::uint32_t sms = 1;
  std::uint32_t quantum = 1024;
  std::uint32_t elements = 1 << 20;
  double sm_clock_mhz = 1410.0;
  timing::Cycle cycle_limit = 100'000'000;
};

/// Runs y = a * x + y and returns every number the run produced, as text.
std::string simulate_saxpy(const RunSetup& setup) {
  auto gpu = config::load_gpu("a100-pcie-40gb").config;
  gpu.sm_clock_mhz = setup.sm_clock_mhz;
  const auto cubin = isa::Cubin::load(home_dir() + "/data/cubins/saxpy-sm_80-0.cubin");
  const auto& kernel = cubin.kernels.front();
  functional::GlobalMemory memory;
  // saxpy_kernel(int count, float alpha, const float* x, float* y), 4 elements a thread in one
  // vector.
  std::vector<std::uint8_t> block(kernel.parameter_bytes, 0);
  const float alpha = 2.5F;
  std::memcpy(&block[kernel.parameters[0].offset], &setup.elements, 4);
  std::memcpy(&block[kernel.parameters[1].offset], &alpha, 4);
  for (const std::size_t pointer : {2, 3}) {
    const std::uint64_t address =
        memory.allocate(pointer == 2 ? "x" : "y", std::uint64_t{setup.elements} * 4);
    std::memcpy(&block[kernel.parameters[pointer].offset], &address, 8);
  }
  const Dim3 threads{256, 1, 1};
  const Dim3 grid{setup.elements / 1024, 1, 1};
  functional::ExecutableKernel executable(cubin, kernel, grid, threads, 0, block, gpu.sms);
  const auto fit = timing::gpu::occupancy(
      gpu, {256, kernel.registers, kernel.static_shared_bytes, 0, 0}, grid.x);
  const auto plan = timing::gpu::plan_sampling(gpu, grid.x, fit.ctas_per_sm, setup.sms, 0);
  const auto footprint =
      timing::gpu::probe_footprint(gpu, executable, memory, {grid.x, 0, {}}, 1'000'000);
  const auto outlook = timing::gpu::cache_outlook(gpu, footprint, grid.x, plan.whole_chip, "cold");
  const auto timings = timing::time_instructions(kernel, gpu.sm);
  timing::gpu::BlockDispatcher dispatcher(gpu, grid.x, plan.sms, plan.ctas_per_sm_limit);
  Session session(Structure::of(gpu, plan.sms), setup.quantum);
  const auto r = session.run(gpu, {&executable, &timings, &memory, fit.ctas_per_sm, fit.l1_bytes},
                             dispatcher, outlook, setup.cycle_limit);
  std::string text =
      fmt::format("end={} cycles={} ctas={}\n", static_cast<int>(r.end), r.cycles, r.sm.ctas);
  for (const auto& [name, value] : timing::gpu::named_counters(r.sm, r.memory, 1.0)) {
    text += fmt::format("{}={}\n", name, value);
  }
  for (const auto cycles : r.sm.stall_cycles) {
    text += fmt::format("{} ", cycles);
  }
  return text;
}

/// The same in a process of its own. No threads exist yet, so fork is safe here.
std::string in_child(const RunSetup& setup) {
  int fd[2];
  EXPECT_EQ(::pipe(fd), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    std::string text;
    try {
      text = simulate_saxpy(setup);
    } catch (const std::exception& error) {
      text = error.what();
    }
    const bool written =
        ::write(fd[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::_exit(written ? 0 : 1);
  }
  ::close(fd[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(fd[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(fd[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  return text;
}

double value(const std::string& text, const std::string& name) {
  const auto at = text.find(name + "=");
  EXPECT_NE(at, std::string::npos) << name << " in\n" << text;
  return at == std::string::npos ? 0.0 : std::stod(text.substr(at + name.size() + 1));
}

TEST(Session, GivesTheSameCountersForEveryQuantum) {
  RunSetup one;
  one.quantum = 1;
  RunSetup many;
  many.quantum = 1024;
  const auto a = in_child(one);
  EXPECT_EQ(a, in_child(many));
  EXPECT_EQ(value(a, "end"), 0.0) << a;
}

TEST(Session, GivesTheSameCountersEveryTime) {
  RunSetup setup;
  setup.sms = 3;
  const auto a = in_child(setup);
  EXPECT_EQ(a, in_child(setup));
}

TEST(Session, WholeChipRunsEveryCtaOnce) {
  RunSetup setup;
  setup.sms = 108;
  const auto text = in_child(setup);
  EXPECT_EQ(value(text, "ctas"), 1024.0) << text;
  // x and y read, y written: 8 elements a sector.
  EXPECT_EQ(value(text, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 2.0 * (1 << 20) / 8)
      << text;
  EXPECT_EQ(value(text, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"), 1.0 * (1 << 20) / 8)
      << text;
}

TEST(Session, StopsAtTheCycleLimit) {
  RunSetup setup;
  setup.cycle_limit = 1500;
  const auto text = in_child(setup);
  EXPECT_EQ(value(text, "end"), 1.0) << text;
}

TEST(Session, ReadsBothPassesOverDramAtNoMoreThanItsPeak) {
  RunSetup setup;
  setup.sms = 108;
  setup.elements = 1 << 24; // 64 MiB each way: beyond L2
  const auto text = in_child(setup);
  const double bytes = value(text, "dram__bytes_read.sum") + value(text, "dram__bytes_write.sum");
  EXPECT_NEAR(bytes, 3.0 * 4 * (1 << 24), 0.02 * bytes);
  const double gb_per_s = bytes / (value(text, "cycles") / 1.41);
  EXPECT_GT(gb_per_s, 0.75 * 1555.2); // gpu-benches: triad 1360 to 1375 GB/s
  EXPECT_LT(gb_per_s, 1555.2);
}

} // namespace
} // namespace coulomb::systemc
