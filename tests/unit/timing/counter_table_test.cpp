// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "sim/timing/gpu/metrics.hpp"

#include <array>
#include <bit>
#include <cstdlib>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

namespace coulomb::timing {
namespace {

/// Counts in which the field at offset 8 * i is `first + i`.
template <class Counts>
Counts numbered(std::uint64_t first) {
  std::array<std::uint64_t, sizeof(Counts) / sizeof(std::uint64_t)> values{};
  std::iota(values.begin(), values.end(), first);
  return std::bit_cast<Counts>(values);
}

TEST(CounterTable, NamesEveryFieldOnce) {
  std::set<std::pair<int, std::size_t>> fields;
  std::set<std::string_view> names;
  for (const Counter& c : counter_table()) {
    EXPECT_TRUE(fields.emplace(static_cast<int>(c.owner), c.offset).second) << c.name;
    EXPECT_TRUE(names.insert(c.name).second) << c.name << " twice";
    EXPECT_EQ(c.offset % sizeof(std::uint64_t), 0U) << c.name;
    EXPECT_LT(c.offset, c.owner == Counter::Owner::sm ? sizeof(SmCounters) : sizeof(MemoryCounters))
        << c.name;
    EXPECT_FALSE(c.unit.empty()) << c.name;
    EXPECT_FALSE(c.definition.empty()) << c.name;
  }
  EXPECT_EQ(fields.size() * sizeof(std::uint64_t), sizeof(SmCounters) + sizeof(MemoryCounters));
}

TEST(CounterTable, SumsEveryField) {
  SmCounters sm = numbered<SmCounters>(100);
  sm += numbered<SmCounters>(1000);
  MemoryCounters memory = numbered<MemoryCounters>(100);
  memory += numbered<MemoryCounters>(1000);
  for (const Counter& c : counter_table()) {
    const std::uint64_t value =
        c.owner == Counter::Owner::sm ? count_of(c, sm) : count_of(c, memory);
    EXPECT_EQ(value, 1100 + 2 * (c.offset / sizeof(std::uint64_t))) << c.name;
  }
}

TEST(CounterTable, IsWhatARunReports) {
  SmCounters sm;
  sm.warp_instructions = 7;
  sm.active_cycles = 14;
  sm.stall_cycles[static_cast<std::size_t>(StallReason::barrier)] = 3;
  MemoryCounters memory;
  memory.dram_read_sectors = 5;
  const auto named = gpu::named_counters(sm, memory, 2.0);
  EXPECT_EQ(named.size(), counter_table().size() + gpu::derived_metrics().size());
  EXPECT_EQ(named.at("smsp__inst_executed.sum"), 14.0);
  EXPECT_EQ(named.at("smsp__warps_issue_stalled_barrier.sum"), 6.0);
  EXPECT_EQ(named.at("dram__bytes_read.sum"), 2.0 * 5 * 32);
  EXPECT_EQ(named.at("sm__inst_executed.avg.per_cycle_active"), 0.5) << "ratios are not scaled";
}

TEST(CounterTable, NamesStallsAsTheReportDoes) {
  std::set<std::string_view> names;
  for (const Counter& c : counter_table()) {
    names.insert(c.name);
  }
  for (const std::string_view reason : kStallReasonNames) {
    const std::string name = "smsp__warps_issue_stalled_" + std::string(reason) + ".sum";
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

// COULOMB_UPDATE_DOCS=1 writes the page instead.
TEST(CounterTable, IsThePageInTheDocumentation) {
  const std::string path = home_dir() + "/docs/counters.md";
  if (std::getenv("COULOMB_UPDATE_DOCS") != nullptr) {
    write_file_atomically(path, gpu::counters_document());
  }
  EXPECT_EQ(read_file(path), gpu::counters_document())
      << "run this test once with COULOMB_UPDATE_DOCS=1";
}

} // namespace
} // namespace coulomb::timing
