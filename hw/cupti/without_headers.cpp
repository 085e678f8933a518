// SPDX-License-Identifier: Apache-2.0
#ifndef COULOMB_HAS_RANGE_PROFILER

#include "hw/cupti/counter_collector.hpp"
#include "hw/cupti/metric_catalogue.hpp"

namespace coulomb::hw {

// The same classes where CUPTI's headers were not found: constructing one says why there are no
// counters, so nothing else can be reached.
struct MetricCatalogue::Parts {
  std::string text;
};
struct CounterCollector::Parts {
  std::string text;
};

MetricCatalogue::MetricCatalogue(const CuptiPaths& /*paths*/) {
  throw built_without_range_profiler();
}
MetricCatalogue::MetricCatalogue(MetricCatalogue&&) noexcept = default;
MetricCatalogue& MetricCatalogue::operator=(MetricCatalogue&&) noexcept = default;
MetricCatalogue::~MetricCatalogue() = default;
const std::string& MetricCatalogue::path() const {
  return parts_->text;
}
const std::string& MetricCatalogue::version() const {
  return parts_->text;
}
std::vector<std::string> MetricCatalogue::chips() const {
  throw built_without_range_profiler();
}
std::vector<BaseMetric> MetricCatalogue::base_metrics(const std::string& /*chip*/) const {
  throw built_without_range_profiler();
}
std::vector<MetricCheck> MetricCatalogue::check(const std::string& /*chip*/,
                                                const std::vector<std::string>& /*names*/) const {
  throw built_without_range_profiler();
}
std::size_t MetricCatalogue::passes(const std::string& /*chip*/,
                                    const std::vector<std::string>& /*names*/) const {
  throw built_without_range_profiler();
}

CounterCollector::CounterCollector(std::uint32_t /*device*/,
                                   void* /*context*/,
                                   const CuptiPaths& /*paths*/) {
  throw built_without_range_profiler();
}
CounterCollector::~CounterCollector() = default;
const std::string& CounterCollector::chip() const {
  return parts_->text;
}
CounterReadings CounterCollector::collect(const std::vector<std::string>& /*metrics*/,
                                          const KernelReplay& /*replay*/) {
  throw built_without_range_profiler();
}

} // namespace coulomb::hw

#endif
