// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/cupti/counter_problem.hpp"
#include "hw/cupti/cupti_paths.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace coulomb::hw {

/// CUPTI's three kinds of base metric.
enum class MetricKind : std::uint8_t { counter, ratio, throughput };
[[nodiscard]] constexpr const char* to_string(MetricKind kind) {
  return kind == MetricKind::counter ? "counter"
         : kind == MetricKind::ratio ? "ratio"
                                     : "throughput";
}

struct BaseMetric {
  std::string name; ///< without roll-up: "sm__inst_executed"
  MetricKind kind = MetricKind::counter;
};

/// What a chip has to say about one metric name.
struct MetricCheck {
  std::string name;
  bool known = false; ///< it can be collected
  MetricKind kind = MetricKind::counter;
  std::string unit;    ///< of the value, in CUPTI's words: "instruction", "percent"; may be empty
  std::string hw_unit; ///< part of the chip that counts it: "sm", "lts"
  std::string description; ///< CUPTI's
  std::string suggestion;  ///< if unknown: the name that was probably meant, or empty
  std::string advice;      ///< if unknown: what is wrong, as a clause: "... has no roll-up .foo"
};

/// The metrics of every chip that CUPTI knows, by its host API: needs libcupti, but neither a GPU
/// nor a driver. Not thread safe.
class MetricCatalogue {
public:
  /// Throws CounterProblem: no library, or built without CUPTI's headers.
  explicit MetricCatalogue(const CuptiPaths& paths = CuptiPaths::from_environment());
  MetricCatalogue(MetricCatalogue&&) noexcept;
  MetricCatalogue& operator=(MetricCatalogue&&) noexcept;
  ~MetricCatalogue();

  [[nodiscard]] const std::string& path() const;    ///< of the library
  [[nodiscard]] const std::string& version() const; ///< of its API: "130001"
  /// "GA100", "GA102" ..., as CUPTI lists them.
  [[nodiscard]] std::vector<std::string> chips() const;
  /// Throws UserError for a chip that CUPTI does not know; so do the next two.
  [[nodiscard]] std::vector<BaseMetric> base_metrics(const std::string& chip) const;
  /// One answer for each name, in order.
  [[nodiscard]] std::vector<MetricCheck> check(const std::string& chip,
                                               const std::vector<std::string>& names) const;
  /// How often a kernel must run to collect these; 0 for no metric. Throws UserError
  /// naming those that the chip does not know.
  [[nodiscard]] std::size_t passes(const std::string& chip,
                                   const std::vector<std::string>& names) const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace coulomb::hw
