// SPDX-License-Identifier: Apache-2.0
#include "hw/collectors/counter_map.hpp"

#include "sim/timing/counter_table.hpp"
#include "sim/timing/gpu/metrics.hpp"
#include "tests/unit/hw/cupti_here.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace coulomb::hw {
namespace {

constexpr ChipFamily kFamilies[] = {ChipFamily::ga100, ChipFamily::ga10x};

/// Name and unit of all that a simulation reports.
std::map<std::string, std::string> simulator_counters() {
  std::map<std::string, std::string> out;
  for (const auto& c : timing::counter_table()) {
    out[std::string(c.name)] = c.unit;
  }
  for (const auto& m : timing::gpu::derived_metrics()) {
    out[std::string(m.name)] = m.unit;
  }
  out[std::string(timing::gpu::kElapsedCycles)] = "cycle";
  return out;
}

std::size_t rows_of(const std::string& counter, ChipFamily family) {
  std::size_t rows = 0;
  for (const CounterMapping& row : counter_map()) {
    rows += row.counter == counter && (row.family == ChipFamily::any || row.family == family);
  }
  return rows;
}

TEST(CounterMap, HasEachCounterOfTheSimulatorOnceForEachChipFamily) {
  const auto counters = simulator_counters();
  for (const ChipFamily family : kFamilies) {
    for (const auto& [name, unit] : counters) {
      EXPECT_EQ(rows_of(name, family), 1U) << name;
      const CounterMapping* row = find_mapping(name, family);
      ASSERT_NE(row, nullptr) << name;
      EXPECT_EQ(row->unit, unit) << name;
    }
  }
  for (const CounterMapping& row : counter_map()) {
    EXPECT_EQ(counters.count(std::string(row.counter)), 1U) << row.counter << " is no counter";
    for (const std::string_view also : row.also) {
      EXPECT_TRUE(also.empty() || counters.count(std::string(also)) == 1) << row.counter;
    }
  }
}

TEST(CounterMap, SaysWhyACounterIsNotMeasurable) {
  for (const CounterMapping& row : counter_map()) {
    EXPECT_TRUE(row.measurable() || !row.reason.empty()) << row.counter;
    EXPECT_FALSE(row.measurable() && row.counter.starts_with("model__")) << row.counter;
  }
}

TEST(CounterMap, ACounterThatIsComparedWithinAnotherIsAddedThere) {
  const auto pipes = {"sm__inst_executed_pipe_fmaheavy.sum", "model__inst_executed_pipe_mio.sum"};
  for (const ChipFamily family : kFamilies) {
    for (const char* part : pipes) {
      const CounterMapping* row = find_mapping(part, family);
      ASSERT_NE(row, nullptr);
      const std::string reason(row->reason);
      const std::size_t at = reason.find("compared within ");
      ASSERT_NE(at, std::string::npos) << part;
      const CounterMapping* whole = find_mapping(reason.substr(at + 16), family);
      ASSERT_NE(whole, nullptr) << reason;
      EXPECT_EQ(whole->also[0], part);
    }
  }
}

TEST(CounterMap, EveryMetricIsOneOfTheChip) {
  COULOMB_NEEDS_CUPTI(catalogue);
  for (const char* chip : {"GA100", "GA102", "GA104", "GA106", "GA107"}) {
    const std::vector<std::string> metrics = mapped_metrics(*chip_family(chip));
    EXPECT_GE(metrics.size(), 50U);
    for (const MetricCheck& m : catalogue.check(chip, metrics)) {
      EXPECT_TRUE(m.known) << chip << " " << m.name << ": " << m.advice;
    }
    EXPECT_GT(catalogue.passes(chip, metrics), 0U);
  }
}

TEST(CounterMap, KnowsTheFamilyOfAChip) {
  EXPECT_EQ(chip_family("GA100"), ChipFamily::ga100);
  EXPECT_EQ(chip_family("GA102"), ChipFamily::ga10x);
  EXPECT_EQ(chip_family("GA106"), ChipFamily::ga10x);
  EXPECT_EQ(chip_family("GA10B"), std::nullopt);
  EXPECT_EQ(chip_family("GH100"), std::nullopt);
}

TEST(CounterMap, AddsAndSubtractsWhatSiliconSplitsOtherwise) {
  const std::map<std::string, double> silicon = {
      {"sm__inst_executed_pipe_tensor.sum", 100.0},
      {"sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum", 30.0},
      {"sm__inst_executed_pipe_fp64.sum", 5.0},
      {"sm__inst_executed_pipe_fma.sum", 70.0}};
  const auto measured = measured_counters(ChipFamily::ga100, silicon);
  EXPECT_EQ(measured.at("sm__inst_executed_pipe_tensor.sum"), 70.0);
  EXPECT_EQ(measured.at("sm__inst_executed_pipe_fp64.sum"), 35.0);
  EXPECT_EQ(measured.at("sm__inst_executed_pipe_fma.sum"), 70.0);
  EXPECT_EQ(measured.size(), 3U);
  const CounterMapping* fma = find_mapping("sm__inst_executed_pipe_fma.sum", ChipFamily::ga100);
  ASSERT_NE(fma, nullptr);
  EXPECT_EQ(simulated_counter(*fma, {{"sm__inst_executed_pipe_fma.sum", 40.0},
                                     {"sm__inst_executed_pipe_fmaheavy.sum", 28.0}}),
            68.0);
  EXPECT_EQ(simulated_counter(*fma, {{"sm__inst_executed_pipe_fma.sum", 40.0}}), std::nullopt);
}

TEST(CounterMap, DividesRatiosAndLeavesOutThoseOfNothing) {
  const std::string hit = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum";
  const std::string miss = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum";
  std::map<std::string, double> silicon = {
      {hit, 30.0},
      {miss, 10.0},
      {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum", 0.0},
      {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_miss.sum", 0.0}};
  const CounterMapping* rate = find_mapping("l1tex__t_sector_hit_rate.ratio", ChipFamily::ga10x);
  ASSERT_NE(rate, nullptr);
  EXPECT_EQ(measured_counter(*rate, silicon), 0.75);
  silicon[hit] = silicon[miss] = 0.0;
  EXPECT_EQ(measured_counter(*rate, silicon), std::nullopt);
  silicon.erase(miss);
  EXPECT_EQ(measured_counter(*rate, silicon), std::nullopt);
}

} // namespace
} // namespace coulomb::hw
