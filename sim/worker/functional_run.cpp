// SPDX-License-Identifier: Apache-2.0
#include "sim/worker/functional_run.hpp"

#include "sim/functional/grid_runner.hpp"
#include "sim/sanitizer/sanitizer.hpp"
#include "sim/worker/fate.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>

namespace coulomb::worker {
namespace {

/// A CTA whose warps all wait is a fault to the executor and a deadlock to the user.
[[noreturn]] void rethrow_deadlock(const functional::KernelFault& fault) {
  if (std::string_view(fault.what()).starts_with("deadlock")) {
    throw Fate{eval::EvalStatus::deadlock, fault.what()};
  }
  throw functional::KernelFault(fault);
}

} // namespace

void run_functional(const eval::SimRequest& request,
                    const functional::ExecutableKernel& kernel,
                    functional::GlobalMemory& memory,
                    std::uint32_t resident_ctas,
                    eval::SimOutcome& outcome) {
  const std::uint64_t grid = kernel.grid().volume();
  const std::uint64_t ctas =
      request.fidelity.ctas == 0 ? grid : std::min(grid, request.fidelity.ctas);
  const auto started = std::chrono::steady_clock::now();
  std::optional<sanitizer::Sanitizer> checker;
  if (!request.checks.empty()) {
    checker.emplace(kernel, memory, request.checks);
  }
  functional::GridRunner runner(kernel, memory, std::max(1U, resident_ctas),
                                checker ? &*checker : nullptr);
  // Also when the kernel faults: how far it came is worth knowing.
  const auto note = [&] {
    outcome.model_s =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    outcome.warp_insts = runner.executed();
    outcome.ctas_simulated = runner.finished_ctas();
    if (checker) {
      outcome.findings = checker->findings();
    }
  };
  try {
    runner.run(0, ctas);
  } catch (const functional::KernelFault& fault) {
    note();
    rethrow_deadlock(fault);
  }
  note();
  if (checker && !checker->first_fault().empty()) { // a GPU would have ended the kernel there
    throw Fate{eval::EvalStatus::crashed, checker->first_fault()};
  }
  outcome.counters["smsp__inst_executed.sum"] = static_cast<double>(outcome.warp_insts);
  outcome.status = eval::EvalStatus::ok;
}

} // namespace coulomb::worker
