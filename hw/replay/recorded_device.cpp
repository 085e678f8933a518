// SPDX-License-Identifier: Apache-2.0
#include "hw/replay/recorded_device.hpp"

#include "base/error.hpp"

namespace coulomb::hw {

RecordedDevice::RecordedDevice(results::SiliconTable table)
    : replay_(std::move(table)), samples_(results::load_silicon_samples(replay_.table().metadata)) {
}

eval::MeasureOutcome RecordedDevice::measure(const kernel::TunableSpec& spec,
                                             const kernel::Configuration& configuration) {
  const auto& meta = replay_.table().metadata;
  if (spec.name != meta.spec) {
    throw UserError(fmt::format("{} holds measurements of {}, not of {}", replay_.table().path,
                                meta.spec, spec.name),
                    fmt::format("name the kernel {}, or another table", meta.spec));
  }
  const results::SiliconRow& row = replay_.measure(configuration);
  eval::MeasureOutcome outcome;
  outcome.status = row.status;
  if (row.failed()) {
    outcome.message = fmt::format("recorded as {}", eval::to_string(row.status));
    return outcome;
  }
  if (const auto found = samples_.find(row.row); found != samples_.end()) {
    outcome.samples_ms = found->second;
    outcome.first_ms = found->second.front();
  } else {
    outcome.samples_ms = {*row.time_ms + meta.launch_overhead_ms};
    outcome.notes.push_back("one sample: only the " + meta.statistic + " was published");
  }
  outcome.stopped_by = "recorded";
  outcome.empty_launch_ms = meta.launch_overhead_ms;
  outcome.state.sm_clock_mhz = meta.sm_clock_mhz;
  outcome.state.sm_clock_min_mhz = meta.sm_clock_mhz;
  outcome.state.sm_clock_max_mhz = meta.sm_clock_mhz;
  outcome.state.memory_clock_mhz = meta.memory_clock_mhz;
  return outcome;
}

} // namespace coulomb::hw
