// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compiled only where CUPTI's headers are; included by the sources of hw/cupti and nobody else.

#include "hw/cupti/cupti_library.hpp"
#include "hw/cupti/metric_catalogue.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace coulomb::hw {

/// CUPTI's host side for one chip: knows metrics, plans passes, turns counter data into values.
/// Needs neither a GPU nor a driver.
class HostProfiler {
public:
  /// `availability`: image of the counters that a real device has, or empty. Throws CounterProblem.
  HostProfiler(std::shared_ptr<const CuptiLibrary> library,
               const std::string& chip,
               const std::vector<std::uint8_t>& availability = {});
  HostProfiler(const HostProfiler&) = delete;
  HostProfiler& operator=(const HostProfiler&) = delete;
  ~HostProfiler();

  /// Names without a roll-up.
  [[nodiscard]] std::vector<std::string> base_metrics(MetricKind kind) const;
  /// Roll-ups of a base metric: ".sum", ".avg.per_cycle_active" ...
  [[nodiscard]] std::vector<std::string> rollups(const std::string& base, MetricKind kind) const;
  /// Fills unit, description and kind; false if CUPTI does not know the name.
  [[nodiscard]] bool describe(const std::string& name, MetricCheck& out) const;
  /// Plans the collection of these. False if one is unknown or they do not go together: this object
  /// is then of no more use (CUPTI answers every later call with an error).
  [[nodiscard]] bool add(const std::vector<std::string>& names);
  /// Plan of all that was added.
  [[nodiscard]] std::vector<std::uint8_t> config_image() const;
  [[nodiscard]] std::size_t passes(std::vector<std::uint8_t>& config_image) const;
  [[nodiscard]] std::vector<double> evaluate(const std::vector<std::uint8_t>& counter_data,
                                             std::size_t range,
                                             const std::vector<std::string>& names) const;

private:
  std::shared_ptr<const CuptiLibrary> library_;
  std::string chip_;
  std::vector<std::uint8_t> availability_;
  CUpti_Profiler_Host_Object* object_ = nullptr;
};

/// As CUPTI takes lists of names; `names` must outlive it.
[[nodiscard]] std::vector<const char*> pointers_to(const std::vector<std::string>& names);

} // namespace coulomb::hw
