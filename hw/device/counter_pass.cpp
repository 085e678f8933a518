// SPDX-License-Identifier: Apache-2.0
#include "hw/device/counter_pass.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace coulomb::hw {

void CounterPass::collect(const eval::MeasureRequest& request,
                          const DeviceProblem& problem,
                          eval::MeasureOutcome& outcome) {
  if (request.metrics.empty()) {
    return;
  }
  try {
    if (!collector_) {
      collector_ = std::make_unique<CounterCollector>(info_.ordinal, context_.handle());
    }
    const KernelReplay replay{[&] {
                                problem.restore();
                                context_.synchronize();
                              },
                              [&] {
                                problem.launch();
                                context_.synchronize();
                              }};
    const CounterReadings readings = collector_->collect(request.metrics, replay);
    outcome.counters = readings.values;
    outcome.passes = static_cast<std::uint32_t>(readings.passes);
    if (!readings.unknown.empty()) {
      outcome.notes.push_back(
          fmt::format("{} does not have: {}", readings.chip, fmt::join(readings.unknown, ", ")));
    }
  } catch (const CounterProblem& problem_found) {
    outcome.notes.push_back(
        fmt::format("no counters: {}; {}", problem_found.what(), problem_found.hint()));
  }
}

} // namespace coulomb::hw
