// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::hw {

enum class CollectorKind : std::uint8_t {
  counter, ///< counts: values of two kernels add up
  gauge,   ///< a level or a ratio: they do not
};
[[nodiscard]] std::string_view to_string(CollectorKind kind);

/// One thing to collect of a kernel.
struct CollectedMetric {
  std::string name; ///< ours, in lower case: "dram_read_bytes"
  CollectorKind kind = CollectorKind::gauge;
  std::string description;
  std::string metric; ///< CUPTI's, with its roll-up
  std::string unit;
  std::vector<std::string> chips; ///< that have it; empty: every chip
  std::string where;              ///< PATH:LINE of its table, for messages

  [[nodiscard]] bool on(std::string_view chip) const;
};

/// A file of configs/collectors: what is collected together.
struct MetricSet {
  std::string path;
  std::string name; ///< the file's name without .toml
  std::string description;
  std::vector<CollectedMetric> metrics; ///< those of included sets first; no name, no metric twice

  /// CUPTI names to collect on a chip.
  [[nodiscard]] std::vector<std::string> metrics_on(std::string_view chip) const;
};

/// Reads and checks a set and those that it includes, which lie beside it. Throws UserError that
/// lists every problem, each with path:line: unknown key (did you mean), missing key, wrong type, a
/// name or a metric twice, a set that includes itself, malformed TOML.
[[nodiscard]] MetricSet load_metric_set(const std::string& path);

/// Where the sets are that come with Coulomb: configs/collectors.
[[nodiscard]] std::string collectors_dir();
/// Names of the sets in a folder, sorted.
[[nodiscard]] std::vector<std::string> metric_set_names(const std::string& dir = collectors_dir());
/// The set of that name in a folder. Throws UserError (did you mean; those that there are).
[[nodiscard]] MetricSet find_metric_set(const std::string& name,
                                        const std::string& dir = collectors_dir());

} // namespace coulomb::hw
