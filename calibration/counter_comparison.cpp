// SPDX-License-Identifier: Apache-2.0
#include "calibration/counter_comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string_view>

namespace coulomb::calibration {
namespace {

struct StageRow {
  std::string_view prefix;
  CausalStage stage;
};

// The first prefix that fits decides. What is counted in cycles is a consequence, whichever unit
// counts it.
constexpr std::array<StageRow, 9> kStages = {{
    {"sm__cycles", CausalStage::time},
    {"sm__warps_active", CausalStage::time},
    {"sm__inst_executed.avg", CausalStage::time},
    {"smsp__warps_issue_stalled", CausalStage::time},
    {"l1tex__", CausalStage::l1},
    {"smsp__inst_executed_op_shared", CausalStage::l1},
    {"lts__", CausalStage::l2},
    {"dram__", CausalStage::dram},
    {"sm", CausalStage::work},
}};

CausalStage stage_of(std::string_view counter) {
  for (const StageRow& row : kStages) {
    if (counter.starts_with(row.prefix)) {
      return row.stage;
    }
  }
  return CausalStage::time;
}

std::string name_of(const hw::CounterMapping& mapping) {
  std::string name{mapping.counter};
  for (const auto& other : mapping.also) {
    if (!other.empty()) {
      name += fmt::format(" + {}", other);
    }
  }
  return name;
}

} // namespace

const char* to_string(CausalStage stage) {
  constexpr std::array<const char*, 5> kWords = {"work", "L1", "L2", "DRAM", "time"};
  return kWords.at(static_cast<std::size_t>(stage));
}

double ComparedCounter::ratio() const {
  if (measured == 0.0) {
    return simulated == 0.0 ? 1.0 : std::numeric_limits<double>::infinity();
  }
  return simulated / measured;
}

std::optional<std::size_t> CounterComparison::first_divergence() const {
  const auto found = std::find_if(counters.begin(), counters.end(),
                                  [](const ComparedCounter& c) { return c.diverges; });
  return found == counters.end()
             ? std::nullopt
             : std::optional(static_cast<std::size_t>(found - counters.begin()));
}

CounterComparison compare_counters(hw::ChipFamily family,
                                   const std::map<std::string, double>& simulated,
                                   const std::map<std::string, double>& metrics) {
  CounterComparison comparison;
  for (const hw::CounterMapping& mapping : hw::counter_map()) {
    if (mapping.family != hw::ChipFamily::any && mapping.family != family) {
      continue;
    }
    const auto silicon = hw::measured_counter(mapping, metrics);
    const auto model = hw::simulated_counter(mapping, simulated);
    if (!silicon || !model) {
      continue;
    }
    ComparedCounter counter{stage_of(mapping.counter), name_of(mapping), *model, *silicon, false};
    counter.diverges = std::abs(counter.ratio() - 1.0) > kCounterTolerance;
    comparison.counters.push_back(counter);
  }
  std::stable_sort(comparison.counters.begin(), comparison.counters.end(),
                   [](const auto& a, const auto& b) { return a.stage < b.stage; });
  return comparison;
}

std::string to_text(const CounterComparison& comparison) {
  const auto first = comparison.first_divergence();
  std::string text = fmt::format("  {:<5} {:<58} {:>14} {:>14} {:>7}\n", "", "counter", "simulated",
                                 "silicon", "ratio");
  for (std::size_t i = 0; i < comparison.counters.size(); ++i) {
    const ComparedCounter& c = comparison.counters[i];
    text += fmt::format("  {:<5} {:<58} {:>14.6g} {:>14.6g} {:>7.2f}{}\n", to_string(c.stage),
                        c.counter, c.simulated, c.measured, c.ratio(),
                        !c.diverges   ? ""
                        : i == *first ? "   <- diverges here first"
                                      : "   (after it)");
  }
  return text;
}

} // namespace coulomb::calibration
