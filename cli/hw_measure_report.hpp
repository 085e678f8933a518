// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/measurement_file.hpp"
#include "hw/device/measuring_device.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace coulomb::cli {

/// What `hw measure --plan` prints.
[[nodiscard]] std::string plan_text(const hw::MeasuringDevice& device,
                                    const kernel::TunableSpec& spec,
                                    const std::vector<kernel::Configuration>& configurations,
                                    const hw::MeasureOptions& options);

/// Prints measurements as they come, as lines or at the end as one JSON object.
class MeasureReport {
public:
  MeasureReport(const hw::MeasuringDevice& device, const kernel::TunableSpec& spec, bool json);

  void add(const results::MeasuredRow& row);
  /// A configuration that the device has no answer to.
  void leave_out(const kernel::Configuration& configuration, const std::string& why);
  /// `path`: where the file was saved; empty if it was not.
  void finish(const std::string& path);
  [[nodiscard]] bool all_ok() const { return ok_ == rows_.size(); }

private:
  bool json_;
  std::size_t ok_ = 0;
  nlohmann::ordered_json head_;
  std::vector<nlohmann::ordered_json> rows_;
  std::vector<nlohmann::ordered_json> left_out_;
};

} // namespace coulomb::cli
