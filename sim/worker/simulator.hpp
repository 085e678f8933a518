// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "base/eval/simulation.hpp"
#include "sim/isa/cubin.hpp"
#include "sim/systemc/session.hpp"
#include "sim/worker/problem.hpp"

#include <memory>
#include <optional>

namespace coulomb::worker {

/// Runs simulations one after the other in the one SystemC model of this process.
class Simulator {
public:
  /// Simulates; every failure of the candidate is a status of the outcome, never an exception.
  eval::SimOutcome simulate(const eval::SimRequest& request);

  /// True if the request needs another module structure than the one elaborated: SystemC cannot
  /// elaborate twice, so it takes a new process.
  [[nodiscard]] bool needs_new_process(const eval::SimRequest& request) const;

private:
  void run(const eval::SimRequest& request, eval::SimOutcome& outcome);
  void time_kernel(const eval::SimRequest& request,
                   const config::GpuConfig& gpu,
                   const functional::ExecutableKernel& executable,
                   std::uint32_t l1_bytes,
                   eval::SimOutcome& outcome);
  Problem problem_;
  std::unique_ptr<systemc::Session> session_;
};

/// Number of SMs that a request simulates.
[[nodiscard]] std::uint32_t simulated_sms(const eval::SimRequest& request,
                                          const config::GpuConfig& gpu);

} // namespace coulomb::worker
