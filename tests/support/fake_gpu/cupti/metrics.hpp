// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::fake::cupti {

/// A base metric of the small list that GetBaseMetrics and GetMetricProperties answer from.
struct BaseMetric {
  const char* name;
  int kind; ///< CUpti_MetricType
  const char* unit;
  const char* hardware;
  const char* description;
};

/// What the launches of a range came to; none where the fake driver is not in the process.
struct Work {
  bool known = false;
  double launches = 0;
  double warp_instructions = 0;
  double ns = 0;
};

[[nodiscard]] const std::vector<const char*>& chips();
[[nodiscard]] const std::vector<BaseMetric>& base_metrics();
/// Roll-ups of a kind of metric, such as ".sum".
[[nodiscard]] const std::vector<const char*>& rollups(int kind);
/// Whether the chip has a metric of that full name (with a roll-up if `whole`).
[[nodiscard]] bool is_metric(const std::string& name, bool whole);
/// Entry of base_metrics() that the name begins with; a general one for others.
[[nodiscard]] const BaseMetric& base_of(const std::string& name);
[[nodiscard]] double value_of(const std::string& name, const Work& work);
/// FAKE_CUPTI_PASSES.
[[nodiscard]] std::size_t passes();
/// Totals of the fake driver in this process.
[[nodiscard]] Work work_so_far();

} // namespace coulomb::fake::cupti
