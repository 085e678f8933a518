// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compiled only where CUPTI's headers are; included by the sources of hw/cupti and nobody else.

#include "hw/cupti/host_profiler.hpp"

#include <memory>
#include <string>
#include <vector>

namespace coulomb::hw {

/// Metrics that are collected in the same passes.
struct MetricGroup {
  std::vector<std::string> names;
  std::unique_ptr<HostProfiler> host; ///< holds `names`
  std::vector<std::uint8_t> config;
  std::size_t passes = 0;
};

/// How a list of metrics is collected on one chip. CUPTI refuses to plan some metrics together
/// (PCIe's with any other unit's): they become groups that are collected one after the other.
struct MetricPlan {
  std::vector<MetricGroup> groups;
  std::vector<std::string> unknown; ///< that the chip does not have, or that cannot be collected

  [[nodiscard]] std::size_t passes() const; ///< of all groups
};

/// `availability` as for HostProfiler. A name that is there twice is collected once.
[[nodiscard]] MetricPlan plan_metrics(const std::shared_ptr<const CuptiLibrary>& library,
                                      const std::string& chip,
                                      const std::vector<std::uint8_t>& availability,
                                      const std::vector<std::string>& names);

} // namespace coulomb::hw
