// SPDX-License-Identifier: Apache-2.0
#ifdef COULOMB_HAS_RANGE_PROFILER

#include "hw/cupti/metric_plan.hpp"

#include <algorithm>

namespace coulomb::hw {
namespace {

using Strings = std::vector<std::string>;

class Planner {
public:
  Planner(const std::shared_ptr<const CuptiLibrary>& library,
          const std::string& chip,
          const std::vector<std::uint8_t>& availability)
      : library_(library), chip_(chip), availability_(availability) {}

  /// A profiler that holds these, or null if they cannot be planned together. Each try takes a new
  /// one: a list that is refused spoils it.
  [[nodiscard]] std::unique_ptr<HostProfiler> together(const Strings& names) const {
    auto host = std::make_unique<HostProfiler>(library_, chip_, availability_);
    return host->add(names) ? std::move(host) : nullptr;
  }

  /// Takes as many of `names` as go together with the first; the others stay.
  [[nodiscard]] MetricGroup next_group(Strings& names) const {
    MetricGroup group;
    group.host = together(names);
    if (group.host != nullptr) {
      group.names.swap(names);
    } else {
      Strings rest;
      for (const std::string& name : names) {
        group.names.push_back(name);
        if (auto host = together(group.names)) {
          group.host = std::move(host);
        } else {
          group.names.pop_back();
          rest.push_back(name);
        }
      }
      names = std::move(rest);
    }
    group.config = group.host->config_image();
    group.passes = group.host->passes(group.config);
    return group;
  }

private:
  const std::shared_ptr<const CuptiLibrary>& library_;
  const std::string& chip_;
  const std::vector<std::uint8_t>& availability_;
};

} // namespace

std::size_t MetricPlan::passes() const {
  std::size_t sum = 0;
  for (const MetricGroup& group : groups) {
    sum += group.passes;
  }
  return sum;
}

MetricPlan plan_metrics(const std::shared_ptr<const CuptiLibrary>& library,
                        const std::string& chip,
                        const std::vector<std::uint8_t>& availability,
                        const std::vector<std::string>& names) {
  const Planner planner(library, chip, availability);
  Strings left;
  for (const std::string& name : names) {
    if (std::find(left.begin(), left.end(), name) == left.end()) {
      left.push_back(name);
    }
  }
  MetricPlan plan;
  if (left.empty()) {
    return plan;
  }
  if (planner.together(left) == nullptr) {
    const auto alone = [&](const std::string& name) { return planner.together({name}) != nullptr; };
    const auto unknown = std::stable_partition(left.begin(), left.end(), alone);
    plan.unknown.assign(unknown, left.end());
    left.erase(unknown, left.end());
  }
  while (!left.empty()) {
    plan.groups.push_back(planner.next_group(left));
  }
  return plan;
}

} // namespace coulomb::hw

#endif
