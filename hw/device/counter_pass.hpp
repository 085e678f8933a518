// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/measurement.hpp"
#include "hw/cupti/counter_collector.hpp"
#include "hw/device/device_problem.hpp"

#include <memory>

namespace coulomb::hw {

/// Collects the CUPTI metrics of kernels on one device, whose context must outlive this.
class CounterPass {
public:
  CounterPass(const DeviceInfo& info, const Context& context) : info_(info), context_(context) {}

  /// Replays the kernel, its buffers restored before each pass, and adds the request's metrics to
  /// the outcome. Where that cannot be, the outcome gets a note that says why and what to do: times
  /// are good without counters. Throws CudaFailure if the kernel itself fails.
  void collect(const eval::MeasureRequest& request,
               const DeviceProblem& problem,
               eval::MeasureOutcome& outcome);

private:
  const DeviceInfo& info_;
  const Context& context_;
  std::unique_ptr<CounterCollector> collector_; ///< made by the first request with metrics
};

} // namespace coulomb::hw
