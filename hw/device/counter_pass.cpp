// SPDX-License-Identifier: Apache-2.0
#include "hw/device/counter_pass.hpp"

namespace coulomb::hw {

void collect_counters(const Driver& /*driver*/,
                      const DeviceInfo& /*info*/,
                      const Context& /*context*/,
                      const eval::MeasureRequest& request,
                      const DeviceProblem& /*problem*/,
                      eval::MeasureOutcome& outcome) {
  if (!request.metrics.empty()) {
    outcome.notes.emplace_back("no counters: built without CUPTI");
  }
}

} // namespace coulomb::hw
