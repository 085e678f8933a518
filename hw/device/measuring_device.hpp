// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/measurement.hpp"
#include "base/kernel/tunable_spec.hpp"

#include <string>
#include <vector>

namespace coulomb::hw {

/// How a device is to measure; what a device of recorded measurements cannot do, it leaves.
struct MeasureOptions {
  eval::SamplingRule sampling;
  std::string cache_state = "warm"; ///< "warm" or "cold"
  std::vector<std::string> metrics; ///< CUPTI names
  double power_s = 0.0;             ///< of launches during which power is measured; 0: it is not
  double power_window_ms = 0.0;     ///< over which the power sensor averages
  /// Seconds after which a configuration counts as hung; 0: from what the other options may take.
  double deadline_s = 0.0;
  bool check_output = true;
  std::vector<kernel::ExpectedOutput> expected; ///< instead of the spec's oracle, if not empty
};

/// A device that measures configurations of kernels: a GPU, or what was recorded of one. Which of
/// them it is makes no difference to who asks.
class MeasuringDevice {
public:
  virtual ~MeasuringDevice() = default;

  /// What was measured of one configuration. A kernel that fails has a status. Throws
  /// EnvironmentError if nothing can be measured (any more), UserError if the device has no answer
  /// to this configuration.
  [[nodiscard]] virtual eval::MeasureOutcome
  measure(const kernel::TunableSpec& spec, const kernel::Configuration& configuration) = 0;

  /// The board's name, "NVIDIA A100-SXM4-40GB", or the table's GPU id.
  [[nodiscard]] virtual std::string board() const = 0;
  /// "device:0", "replay:convolution/convolution_A100-PCIE-40GB".
  [[nodiscard]] virtual std::string address() const = 0;
};

} // namespace coulomb::hw
