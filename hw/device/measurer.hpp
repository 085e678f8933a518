// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/measurement.hpp"
#include "hw/cuda/device_objects.hpp"
#include "hw/device/counter_pass.hpp"
#include "hw/nvml/nvml.hpp"

#include <memory>
#include <optional>
#include <string>

namespace coulomb::hw {

/// Measures kernels on one CUDA device, in this process. A kernel that faults leaves the process
/// without a usable context (`context_lost`); a kernel that hangs hangs this: a parent has the
/// deadline.
class Measurer {
public:
  /// Throws EnvironmentError: no driver, no device; UserError: no such device.
  explicit Measurer(std::uint32_t device);

  [[nodiscard]] const DeviceInfo& info() const { return info_; }
  [[nodiscard]] const Driver& driver() const { return driver_; }
  /// Null, with the reason, if NVML does not know the device.
  [[nodiscard]] const Nvml* nvml() const { return nvml_ ? &*nvml_ : nullptr; }
  [[nodiscard]] const std::string& no_nvml_because() const { return no_nvml_; }

  /// First launch (timed apart, output checked), warm-up, samples, power, counters. Never throws
  /// for what a kernel does: the outcome tells.
  [[nodiscard]] eval::MeasureOutcome measure(const eval::MeasureRequest& request);

  /// Writes and reads memory back. Empty if that worked; else what is wrong.
  [[nodiscard]] std::string health_problem();

private:
  void measure_into(const eval::MeasureRequest& request, eval::MeasureOutcome& outcome);
  void time_empty_launch(const eval::MeasureRequest& request, eval::MeasureOutcome& outcome);

  Driver driver_;
  DeviceInfo info_;
  Context context_;
  std::string no_nvml_;
  std::optional<Nvml> nvml_;
  CounterPass counters_{info_, context_};
};

} // namespace coulomb::hw
