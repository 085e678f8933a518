// SPDX-License-Identifier: Apache-2.0
#include "sim/worker/simulator.hpp"

#include "base/config/config_json.hpp"
#include "base/error.hpp"
#include "sim/isa/code_mix.hpp"
#include "sim/power/power_metrics.hpp"
#include "sim/timing/gpu/footprint.hpp"
#include "sim/timing/gpu/grid_estimate.hpp"
#include "sim/timing/gpu/metrics.hpp"
#include "sim/timing/gpu/occupancy.hpp"
#include "sim/timing/gpu/sampling.hpp"
#include "sim/worker/fate.hpp"
#include "sim/worker/functional_run.hpp"
#include "sim/worker/output_checks.hpp"
#include "sim/worker/recording.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <sys/resource.h>

namespace coulomb::worker {
namespace {

// Instructions of one probe CTA after which it is no use as a probe: an endless kernel ends in the
// timed run.
constexpr std::uint64_t kProbeInstructions = 10'000'000;

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// The kernel that the request means; throws UserError listing the kernels there are.
const isa::KernelImage& find_kernel(const isa::Cubin& cubin, const std::string& name) {
  if (!name.empty()) {
    return cubin.kernel(name);
  }
  if (cubin.kernels.size() + cubin.unsupported_kernels.size() == 1) {
    return cubin.kernels.front();
  }
  std::vector<std::string> names;
  for (const auto& k : cubin.kernels) {
    names.push_back(k.name);
  }
  for (const auto& [unsupported, reason] : cubin.unsupported_kernels) {
    names.push_back(unsupported);
  }
  throw UserError(fmt::format("the module has {} kernels, and none is named; it has: {}",
                              names.size(), fmt::join(names, ", ")),
                  "name one of them with --entry");
}

/// Takes what the kernel printed when it ends, however it ends: a fault often explains itself.
class TakePrinted {
public:
  TakePrinted(const functional::GlobalMemory& memory, std::string& text)
      : memory_(memory), text_(text) {}
  TakePrinted(const TakePrinted&) = delete;
  TakePrinted& operator=(const TakePrinted&) = delete;
  ~TakePrinted() { text_ = memory_.printed(); }

private:
  const functional::GlobalMemory& memory_;
  std::string& text_;
};

std::unique_ptr<systemc::Session>
make_session(const eval::VcdRequest& vcd, const config::GpuConfig& gpu, std::uint32_t sms) {
  const auto structure = systemc::Structure::of(gpu, sms);
  if (vcd.path.empty()) {
    return std::make_unique<systemc::Session>(structure);
  }
  const systemc::VcdOptions options{vcd.path, vcd.from, vcd.to, vcd.max_bytes};
  return std::make_unique<systemc::Session>(gpu, structure, options);
}

/// What a spin may wait for in vain: CTAs that have not started.
std::string
outside_sample(const timing::gpu::SamplingPlan& plan, std::uint64_t started, std::uint64_t ctas) {
  if (started == ctas) {
    return {};
  }
  return fmt::format("; {} of {} CTAs had started: {}", started, ctas,
                     plan.whole_chip ? "the others wait until one ends"
                                     : "the CTAs outside the sample are not simulated, --chip or "
                                       "--functional runs them all");
}

/// Throws the Fate of a run that was cut short.
void check_end(const systemc::SessionResult& result,
               const timing::gpu::SamplingPlan& plan,
               const timing::gpu::BlockDispatcher& dispatcher,
               const eval::SimRequest& request) {
  using End = systemc::SessionResult::End;
  switch (result.end) {
  case End::completed:
    return;
  case End::cycle_limit:
    throw Fate{eval::EvalStatus::timeout,
               fmt::format("cycle limit of {} reached; {} of {} simulated CTAs had finished{}",
                           request.cycle_limit, dispatcher.completed(), dispatcher.launched(),
                           result.stuck_warps)};
  case End::deadlock:
    throw Fate{eval::EvalStatus::deadlock,
               fmt::format("no warp can move at cycle {}{}", result.cycles, result.stuck_warps)};
  case End::no_progress:
    throw Fate{
        eval::EvalStatus::deadlock,
        fmt::format("no warp can make progress at cycle {}, warps spin while nothing changes{}{}",
                    result.cycles,
                    outside_sample(plan, dispatcher.launched(), request.launch.grid.volume()),
                    result.stuck_warps)};
  }
}

bool is_functional(const eval::SimRequest& request) {
  return request.fidelity.rung == "functional";
}

} // namespace

std::uint32_t simulated_sms(const eval::SimRequest& request, const config::GpuConfig& gpu) {
  return request.fidelity.rung == "chip" ? gpu.sms : std::clamp(request.fidelity.sms, 1U, gpu.sms);
}

bool Simulator::needs_new_process(const eval::SimRequest& request) const {
  if (!session_ || is_functional(request)) {
    return false;
  }
  if (session_->traced() || !request.profile.vcd.path.empty()) {
    return true; // a waveform belongs to one simulation, from the first SystemC activity on
  }
  const config::GpuConfig gpu = config::gpu_config_from_json(request.gpu_json);
  return !(systemc::Structure::of(gpu, simulated_sms(request, gpu)) == session_->structure());
}

eval::SimOutcome Simulator::simulate(const eval::SimRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  eval::SimOutcome outcome;
  outcome.id = request.id;
  outcome.rung = request.fidelity.rung;
  outcome.ctas_total = request.launch.grid.volume();
  try {
    run(request, outcome);
  } catch (const Fate& fate) {
    outcome.status = fate.status;
    outcome.message = fate.message;
  } catch (const functional::KernelFault& fault) {
    outcome.status = eval::EvalStatus::crashed;
    outcome.message = fault.what();
  } catch (const UnsupportedError& error) {
    outcome.status = eval::EvalStatus::unsupported;
    outcome.message = error.what();
  } catch (const UserError& error) {
    outcome.status = eval::EvalStatus::launch_invalid;
    outcome.message = error.what();
  } catch (const EnvironmentError& error) { // an output file that cannot be written
    outcome.status = eval::EvalStatus::crashed;
    outcome.message = error.what();
  }
  outcome.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  outcome.peak_rss_bytes = peak_rss_bytes();
  return outcome;
}

void Simulator::run(const eval::SimRequest& request, eval::SimOutcome& outcome) {
  const config::GpuConfig gpu = config::gpu_config_from_json(request.gpu_json);
  const isa::Cubin cubin = isa::Cubin::load(request.cubin_path);
  if (cubin.architecture / 10 != gpu.architecture / 10 || cubin.architecture > gpu.architecture) {
    throw Fate{eval::EvalStatus::launch_invalid,
               fmt::format("the cubin is for sm_{}, {} runs sm_{}", cubin.architecture, gpu.id,
                           gpu.architecture)};
  }
  const isa::KernelImage& kernel = find_kernel(cubin, request.kernel_name);
  outcome.registers = kernel.registers;
  outcome.static_shared_bytes = kernel.static_shared_bytes;
  outcome.dynamic_shared_bytes = request.launch.dynamic_shared_bytes;
  outcome.spill_bytes = kernel.local_bytes;
  outcome.code_mix = isa::code_mix(kernel);
  const auto fit = timing::gpu::occupancy(
      gpu,
      {static_cast<std::uint32_t>(request.launch.block.volume()), kernel.registers,
       kernel.static_shared_bytes, request.launch.dynamic_shared_bytes, kernel.max_threads},
      request.launch.grid.volume());
  if (!fit.invalid.empty()) {
    throw Fate{eval::EvalStatus::launch_invalid, fit.invalid};
  }
  outcome.occupancy = {fit.ctas_per_sm, fit.warps_per_sm, fit.limiter};
  problem_.prepare(request.launch.arguments,
                   cubin.global_image.empty() ? std::string() : request.cubin_path);
  functional::ExecutableKernel executable(cubin, kernel, request.launch.grid, request.launch.block,
                                          request.launch.dynamic_shared_bytes,
                                          problem_.parameter_block(kernel), gpu.sms);
  problem_.fill_symbols(cubin, executable);
  {
    const TakePrinted take(problem_.memory(), outcome.printed);
    if (is_functional(request)) {
      run_functional(request, executable, problem_.memory(), fit.ctas_per_sm * gpu.sms, outcome);
    } else {
      time_kernel(request, gpu, executable, fit.l1_bytes, outcome);
    }
  }
  outcome.output_check =
      check_outputs(request, problem_, outcome.ctas_simulated == outcome.ctas_total);
  if (outcome.output_check.checked && !outcome.output_check.passed) {
    outcome.status = eval::EvalStatus::wrong_result;
    outcome.message = outcome.output_check.first_difference;
  }
  write_outputs(request, problem_);
  problem_.memory().restore();
}

void Simulator::time_kernel(const eval::SimRequest& request,
                            const config::GpuConfig& gpu,
                            const functional::ExecutableKernel& executable,
                            std::uint32_t l1_bytes,
                            eval::SimOutcome& outcome) {
  const std::uint64_t ctas = request.launch.grid.volume();
  timing::gpu::WorkProfile work;
  work.ctas = ctas;
  if (simulated_sms(request, gpu) < gpu.sms) {
    work = timing::gpu::profile_work(executable, problem_.memory(), ctas);
  }
  const auto footprint =
      timing::gpu::probe_footprint(gpu, executable, problem_.memory(), work, kProbeInstructions);
  const auto plan = timing::gpu::plan_sampling(gpu, work.ctas, outcome.occupancy.ctas_per_sm,
                                               simulated_sms(request, gpu),
                                               request.fidelity.max_waves, footprint.instructions);
  const auto outlook = timing::gpu::cache_outlook(gpu, footprint, work.ctas, plan.whole_chip,
                                                  request.fidelity.cache_state);
  const auto timings = timing::time_instructions(executable.image(), gpu.sm);
  timing::gpu::BlockDispatcher dispatcher(gpu, work, plan.sms, plan.ctas_per_sm_limit);
  if (!session_) {
    session_ = make_session(request.profile.vcd, gpu, plan.sms);
  }
  timing::sm::SmProgram program{&executable,        &timings,
                                &problem_.memory(), outcome.occupancy.ctas_per_sm,
                                l1_bytes,           request.fidelity.cache_state == "warm"};
  Recording recording(request.profile, executable.image(), gpu, plan.sms);
  recording.attach(program);
  const auto started = std::chrono::steady_clock::now();
  const auto result = session_->run(gpu, program, dispatcher, outlook, request.cycle_limit);

  outcome.model_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  recording.report(outcome);
  if (result.vcd) {
    outcome.vcd = {result.vcd->first, result.vcd->end, result.vcd->signals, result.vcd->bytes,
                   result.vcd->full};
  }
  outcome.sms = plan.sms;
  outcome.ctas_simulated = dispatcher.completed();
  outcome.warp_insts = result.sm.warp_instructions;
  check_end(result, plan, dispatcher, request);
  const auto [cycles, scale] = timing::gpu::estimate_grid(
      gpu, plan, work, dispatcher, {result.sm.warp_instructions, result.drain, result.dram_busy});
  outcome.cycles = cycles;
  outcome.time_ms = cycles / (gpu.sm_clock_mhz * 1000.0);
  outcome.launch_overhead_ms = gpu.launch_overhead_us / 1000.0;
  outcome.ipc = result.sm.active_cycles == 0 ? 0.0
                                             : static_cast<double>(result.sm.warp_instructions) /
                                                   static_cast<double>(result.sm.active_cycles);
  outcome.counters = timing::gpu::named_counters(result.sm, result.memory, scale);
  outcome.counters[std::string(timing::gpu::kElapsedCycles)] = cycles;
  power::add_power_metrics(gpu, outcome.time_ms, outcome.counters);
  outcome.stalls = timing::gpu::stall_shares(result.sm);
  outcome.status = eval::EvalStatus::ok;
}

} // namespace coulomb::worker
