// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::hw {

/// The two designs of the Ampere generation whose counters differ.
enum class ChipFamily : std::uint8_t {
  any,   ///< both
  ga100, ///< compute capability 8.0
  ga10x, ///< 8.6
};
/// "GA100" -> ga100, "GA102", "GA104" ... -> ga10x; nothing for another chip.
[[nodiscard]] std::optional<ChipFamily> chip_family(std::string_view chip);
/// Of a simulated architecture: 80 -> ga100, 86 -> ga10x.
[[nodiscard]] ChipFamily chip_family_of(std::uint32_t architecture);

struct CounterTerm {
  std::string_view metric; ///< CUPTI's; empty: no term
  double weight = 1.0;
};
using CounterTerms = std::array<CounterTerm, 4>;

/// How one counter of the simulator (docs/counters.md) is measured on silicon:
///   counter + also == scale * sum(terms) / sum(over)          (no `over`: nothing is divided)
struct CounterMapping {
  std::string_view counter;
  ChipFamily family = ChipFamily::any;
  std::string_view unit; ///< of the simulator's counter
  double scale = 1.0;
  CounterTerms terms = {}; ///< none: not measurable, and `reason` says why
  CounterTerms over = {};
  /// Simulator counters that silicon does not tell apart from this one, and that are added to it.
  std::array<std::string_view, 2> also = {};
  std::string_view reason = {}; ///< why it is not measurable, or what the reader must know

  [[nodiscard]] bool measurable() const { return !terms[0].metric.empty(); }
};

/// Every row. Each counter has one row for a family, or one for both.
[[nodiscard]] std::span<const CounterMapping> counter_map();
/// The row of a counter on a chip family; null if the simulator has no such counter.
[[nodiscard]] const CounterMapping* find_mapping(std::string_view counter, ChipFamily family);
/// CUPTI metrics that the measurable rows of a family need, sorted, each once.
[[nodiscard]] std::vector<std::string> mapped_metrics(ChipFamily family);

/// The counter as silicon has it; nothing if it is not measurable, a metric is absent, or the
/// divisor is 0.
[[nodiscard]] std::optional<double> measured_counter(const CounterMapping& mapping,
                                                     const std::map<std::string, double>& metrics);
/// What it is to be compared with: the simulator's counter plus `also`; nothing if one is absent.
[[nodiscard]] std::optional<double>
simulated_counter(const CounterMapping& mapping, const std::map<std::string, double>& counters);
/// All measurable counters of a family that the metrics give, under the simulator's names.
[[nodiscard]] std::map<std::string, double>
measured_counters(ChipFamily family, const std::map<std::string, double>& metrics);

} // namespace coulomb::hw
