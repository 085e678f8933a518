// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/silicon_samples.hpp"
#include "base/text.hpp"
#include "hw/device/measuring_device.hpp"
#include "hw/replay/replay_device.hpp"

#include <string>

namespace coulomb::hw {

/// A table of recorded measurements as a device: every launch as it was recorded where single
/// launches were published, else the recorded statistic as the one sample; failures as recorded;
/// the clocks that the table states.
class RecordedDevice : public MeasuringDevice {
public:
  /// Throws UserError: two rows of one configuration, malformed samples.
  explicit RecordedDevice(results::SiliconTable table);

  /// Throws UserError if the configuration was not recorded, or does not count (with the reason),
  /// or if `spec` is not the table's kernel.
  [[nodiscard]] eval::MeasureOutcome measure(const kernel::TunableSpec& spec,
                                             const kernel::Configuration& configuration) override;
  [[nodiscard]] std::string board() const override { return replay_.table().metadata.gpu; }
  [[nodiscard]] std::string address() const override {
    return "replay:" + recorded_path(replay_.table().path);
  }
  [[nodiscard]] const results::SiliconTable& table() const { return replay_.table(); }

private:
  ReplayDevice replay_;
  results::SiliconSamples samples_;
};

} // namespace coulomb::hw
